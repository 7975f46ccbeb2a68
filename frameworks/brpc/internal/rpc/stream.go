package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/meta"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
)

const (
	// Window is how many bytes a stream sends before the peer has consumed any:
	// the default of brpc's StreamOptions.max_buf_size. A message is sent whole
	// as soon as less than that is under way.
	Window = 2 << 20
	// maxUnread is how many bytes a stream keeps that nobody has received. The
	// window is the sender's to choose, so this only bounds memory.
	maxUnread = 64 << 20
)

var errReset = errors.New("brpc: the peer has no such stream (RST)")

// Stream is one end of an open stream of messages. One goroutine may send while
// another receives.
type Stream struct {
	link *link
	ends wire.Ends

	// Of the goroutine that reads the connection.
	response func(*buffer) error // reads the response that opens the stream; nil when it is open
	part     *buffer             // of a message that goes on in the next frame

	mu        sync.Mutex
	changed   sync.Cond
	connected bool        // ends.Remote is known
	report    bool        // the peer wants to know what was consumed
	end       error       // what Recv returns after the last message; nil: the stream is open
	stop      func() bool // watching the context; nil: there is none

	produced, acked    int64 // bytes sent, and of them consumed by the peer
	consumed, reported int64 // bytes received, and of them reported to the peer
	inbox              []*buffer
	unread             int // bytes in inbox
}

// settings are what the peer is told of this end.
func (s *Stream) settings() *meta.StreamSettings {
	return &meta.StreamSettings{StreamId: &s.ends.Local, NeedFeedback: true, Writable: true}
}

// connect opens the stream to the peer's end.
func (s *Stream) connect(peer *meta.StreamSettings) {
	s.response = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ends.Remote, s.report, s.connected = peer.GetStreamId(), peer.NeedFeedback, true
	if s.end != nil { // given up in the meantime
		s.sendClose()
	}
}

// take puts a message into the inbox, or a part of it aside.
func (s *Stream) take(buf *buffer, more bool) error {
	if s.part != nil {
		s.part.b = append(s.part.b, buf.b...)
		buf.free()
		buf = s.part
	}
	s.part = nil
	if more {
		s.part = buf
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(buf.b) > MaxFrame || s.unread > maxUnread:
		return fmt.Errorf("brpc: the peer sends more to a stream than its reader takes: %d bytes wait, and %d come", s.unread, len(buf.b))
	case more:
	case s.end != nil:
		buf.free()
	default:
		s.inbox = append(s.inbox, buf)
		s.unread += len(buf.b)
		s.changed.Broadcast()
	}
	return nil
}

// control takes a frame that has no message.
func (s *Stream) control(m *meta.StreamFrameMeta) error {
	switch m.FrameType {
	case meta.FrameType_FRAME_TYPE_FEEDBACK:
		return s.acknowledge(m.GetFeedback().GetConsumedSize())
	case meta.FrameType_FRAME_TYPE_CLOSE:
		s.finish(io.EOF)
	case meta.FrameType_FRAME_TYPE_RST:
		s.finish(errReset)
	}
	return nil
}

// acknowledge notes what the peer has consumed. The number never falls.
func (s *Stream) acknowledge(consumed int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if consumed > s.produced {
		return fmt.Errorf("brpc: the peer says that it consumed %d bytes of a stream on which %d were sent", consumed, s.produced)
	}
	s.acked = max(s.acked, consumed)
	s.changed.Broadcast()
	return nil
}

// finish ends the stream: no more messages come. Only the first reason counts.
func (s *Stream) finish(reason error) {
	s.link.forget(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.end = reason
		s.changed.Broadcast()
	}
}

// Send sends a message as soon as the window lets it. On a stream that has
// ended it fails with io.EOF: Recv says why.
func (s *Stream) Send(m proto.Message) error {
	if err := s.awaitWindow(); err != nil {
		return err
	}
	buf := newBuffer()
	b, size, err := wire.AppendData(buf.b, s.ends, m)
	buf.b = b
	if err == nil {
		err = checkFrame(len(b))
	}
	if err != nil {
		buf.free()
		return err
	}
	s.mu.Lock()
	s.produced += int64(size)
	s.mu.Unlock()
	return s.link.out.put(frame{buf: buf})
}

func (s *Stream) awaitWindow() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.end == nil && s.produced-s.acked >= Window {
		s.changed.Wait()
	}
	if s.end != nil {
		return io.EOF
	}
	return nil
}

// Recv receives the next message into m. After the last it returns io.EOF, or
// what ended the stream.
func (s *Stream) Recv(m proto.Message) error {
	buf, err := s.next()
	if err != nil {
		return err
	}
	return decode(buf, m)
}

// next waits for a message. The peer hears of what was consumed when nothing
// more is at hand, since its window may be small, or when it is a part of ours.
func (s *Stream) next() (*buffer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.inbox) == 0 {
		if s.end != nil {
			return nil, s.end
		}
		if s.consumed > s.reported {
			s.sendFeedback()
		}
		s.changed.Wait()
	}
	buf := s.inbox[0]
	s.inbox[0] = nil
	s.inbox = s.inbox[1:]
	s.unread -= len(buf.b)
	s.consumed += int64(len(buf.b))
	if s.consumed-s.reported >= Window/4 {
		s.sendFeedback()
	}
	return buf, nil
}

// sendFeedback leaves a connection that cannot take it to its next reader.
func (s *Stream) sendFeedback() {
	s.reported = s.consumed
	if !s.report {
		return
	}
	buf := newBuffer()
	buf.b = wire.AppendFeedback(buf.b, s.ends, s.consumed)
	if err := s.link.respond(buf); err != nil {
		go s.link.fail(err) // which locks the stream
	}
}

// Close ends the stream. What was not received is dropped; what was sent before
// arrives.
func (s *Stream) Close() { s.giveUp(ErrClosed) }

func (s *Stream) giveUp(reason error) {
	s.link.forget(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, buf := range s.inbox {
		buf.free()
	}
	s.inbox, s.unread = nil, 0
	if s.stop != nil {
		s.stop()
	}
	if s.end != nil {
		return
	}
	s.end = reason
	s.changed.Broadcast()
	if s.connected {
		s.sendClose()
	}
}

func (s *Stream) sendClose() {
	buf := newBuffer()
	buf.b = wire.AppendClose(buf.b, s.ends)
	s.link.out.put(frame{buf: buf}) // its error says that the connection has ended
}

// endWith gives the stream up when ctx ends.
func (s *Stream) endWith(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = context.AfterFunc(ctx, func() { s.giveUp(ended(ctx)) })
}

// ended is the error of what ctx has ended.
func ended(ctx context.Context) error { return fmt.Errorf("brpc: %w", ctx.Err()) }
