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
	// Window is brpc's default of StreamOptions.max_buf_size. A window is how many
	// bytes a stream may send that the peer has not consumed yet. A message is sent
	// whole as soon as fewer bytes than that are under way.
	Window = 2 << 20
	// maxUnread is how many bytes a stream keeps until they are received, or twice its
	// own window if that is more. It only bounds memory, because the sender chooses
	// the window.
	maxUnread = 64 << 20
)

var errReset = errors.New("brpc: the peer has no such stream (RST)")

// Stream is one end of an open stream of messages. One goroutine may send while
// another receives.
type Stream struct {
	link *link
	ends wire.Ends

	// These belong to the goroutine that reads the connection.
	response func(*buffer) error // reads the response that opens the stream; nil once it is open
	part     *buffer             // the part received so far of a message that has several frames

	mu        sync.Mutex
	changed   sync.Cond
	connected bool        // ends.Remote is set
	report    bool        // the peer wants feedback on what was consumed
	end       error       // what Recv returns after the last message; nil while the stream is open
	stop      func() bool // stops watching the context; nil if it is not watched

	produced, acked    int64 // bytes sent, and how many of them the peer has consumed
	consumed, reported int64 // bytes received, and how many of them were reported to the peer
	inbox              []*buffer
	unread             int // bytes in inbox
}

// settings returns what this end tells the peer about itself.
func (s *Stream) settings() *meta.StreamSettings {
	return &meta.StreamSettings{StreamId: &s.ends.Local, NeedFeedback: true, Writable: true}
}

// connect opens the stream, with the settings of the peer's end.
func (s *Stream) connect(peer *meta.StreamSettings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ends.Remote, s.report, s.connected = peer.GetStreamId(), peer.NeedFeedback, true
	if s.end != nil { // the stream was given up in the meantime
		s.sendClose()
	}
}

// take puts a message into the inbox, or keeps a part of one until the rest comes.
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
	case len(buf.b) > MaxFrame || s.unread > max(maxUnread, 2*s.link.window):
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

// control handles a frame without a message.
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

// acknowledge notes how much the peer has consumed. The number never decreases.
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

// finish ends the stream: no more messages are received. Only the first reason counts.
func (s *Stream) finish(reason error) {
	s.link.forget(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.end = reason
		s.changed.Broadcast()
	}
}

// Send sends a message as soon as the window allows it. If the stream has ended it
// returns io.EOF, and Recv says why.
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
	for s.end == nil && s.produced-s.acked >= int64(s.link.window) {
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
	return decode(buf, false, m)
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
	if s.consumed-s.reported >= int64(s.link.window/4) {
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

// Close ends the stream. Messages that were sent before still arrive at the peer;
// messages that were not received here are dropped.
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
	s.link.out.put(frame{buf: buf}) // fails only if the connection has ended
}

// endWith gives the stream up when ctx ends.
func (s *Stream) endWith(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = context.AfterFunc(ctx, func() { s.giveUp(ended(ctx)) })
}

// ended returns the error of a call or stream that ctx has ended.
func ended(ctx context.Context) error { return fmt.Errorf("brpc: %w", ctx.Err()) }
