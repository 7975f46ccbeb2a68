// Package rpc is both ends of a brpc connection. Calls share the connection and are
// told apart by ids; streams have brpc's flow control.
package rpc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/meta"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
)

// MaxFrame is the size in bytes of the largest frame that either end sends or
// accepts. In brpc itself it is the flag max_body_size, by default 64 MiB.
const MaxFrame = 256<<20 + 64<<10

// maxQueued is the most frames that may wait to be written. If a peer causes more
// frames, the connection is closed.
const maxQueued = 100_000

// Error is an error response of the server.
type Error struct {
	Code int32 // one of brpc's error numbers
	Text string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("brpc: error %d: %s", e.Code, e.Text) }

// brpc's error numbers.
const (
	CodeNoService = 1001
	CodeNoMethod  = 1002
	CodeRequest   = 1003 // the request cannot be read
	CodeInternal  = 2001 // the handler's error
)

// ErrClosed is the error of calls and streams that were under way when this end
// closed the connection or stream.
var ErrClosed = errors.New("brpc: closed by this end")

// link is the part of a connection that both ends have in common.
type link struct {
	out    outbox
	in     *wire.Reader
	window int // of its streams, in bytes

	mu      sync.Mutex
	last    int64             // our id of the last stream
	streams map[int64]*Stream // by our id
	err     error             // why the link ended; nil before that
}

func (l *link) init(conn net.Conn, window int) {
	l.window = window
	l.out.init(conn)
	l.in = wire.NewReader(bufio.NewReaderSize(conn, ioBuffer), MaxFrame)
	l.streams = make(map[int64]*Stream)
}

// fail ends the link and its streams. Only the first reason counts.
func (l *link) fail(reason error) {
	if !l.out.stop(reason) {
		return
	}
	l.mu.Lock()
	l.err = reason
	streams := l.streams
	l.streams = nil
	l.mu.Unlock()
	for _, s := range streams {
		s.finish(reason)
	}
}

// lost returns the error of calls and streams whose connection failed with err.
func lost(err error) error {
	var failed *net.OpError
	switch {
	case errors.Is(err, net.ErrClosed):
		return ErrClosed
	case err == io.EOF:
		return errors.New("brpc: the peer closed the connection")
	case errors.As(err, &failed):
		return fmt.Errorf("brpc: connection lost: %w", err)
	}
	return err
}

// newStream adds a stream. It is open already if response is nil; else response reads
// the message that opens it.
func (l *link) newStream(response func(*buffer) error) (*Stream, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return nil, l.err
	}
	l.last++
	s := &Stream{link: l, ends: wire.Ends{Local: l.last}, response: response}
	s.changed.L = &s.mu
	l.streams[l.last] = s
	return s, nil
}

func (l *link) stream(id int64) *Stream {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.streams[id]
}

func (l *link) forget(s *Stream) {
	l.mu.Lock()
	delete(l.streams, s.ends.Local)
	l.mu.Unlock()
}

// takeStream handles a frame of a stream whose meta has been read.
func (l *link) takeStream(h wire.Header, b []byte) error {
	m, err := wire.ParseStream(b)
	if err != nil {
		return err
	}
	s := l.stream(m.GetStreamId())
	data := m.FrameType == meta.FrameType_FRAME_TYPE_DATA
	switch {
	case s != nil && data:
		return l.takeData(s, h.Body, m.HasContinuation)
	case s != nil:
		return s.control(m)
	case data && m.SourceStreamId != nil:
		buf := newBuffer()
		buf.b = wire.AppendReset(buf.b, *m.SourceStreamId)
		return l.respond(buf)
	}
	return nil // frames may still come for a stream that has ended
}

func (l *link) takeData(s *Stream, n int, more bool) (err error) {
	buf := newBuffer()
	if buf.b, err = l.in.Body(buf.b, n); err != nil {
		return err
	}
	if s.response != nil {
		return s.response(buf)
	}
	return s.take(buf, more)
}

// respond sends a frame that answers one of the peer's. If the peer does not read
// these answers, the connection is closed.
func (l *link) respond(buf *buffer) error {
	if n := l.out.queued(); n >= maxQueued {
		buf.free()
		return fmt.Errorf("brpc: the peer does not read: %d frames wait for it", n)
	}
	l.out.put(frame{buf: buf}) // fails only if the connection has ended
	return nil
}

// decode reads a message from buf, which it frees.
func decode(buf *buffer, gzip bool, m proto.Message) (err error) {
	defer buf.free()
	b := buf.b
	if gzip {
		if b, err = wire.Unzip(b, wire.UnzippedSize(b, MaxFrame)); err != nil {
			return err
		}
	}
	if err := proto.Unmarshal(b, m); err != nil {
		return fmt.Errorf("brpc: a message cannot be read: %w", err)
	}
	return nil
}

// checkFrame returns an error if a frame of n bytes is too large to be sent.
func checkFrame(n int) error {
	if n > MaxFrame {
		return fmt.Errorf("brpc: a frame of %d bytes is over the limit of %d", n, MaxFrame)
	}
	return nil
}
