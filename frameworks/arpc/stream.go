package arpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// actionEnd is the action of a server's last message, which has the text of the
// handler's error. It is needed because arpc's streams have no errors, and end in the
// same way if their connection is lost.
const actionEnd = "end"

// handleStream answers the messages of a stream until the client's last message, and
// then sends a last message. It goes on to receive, since arpc would otherwise stop
// reading the connection.
func handleStream[E, Q, R any](s *arpc.Stream, k native.Kind[E, Q, R]) {
	recv := func() (*E, error) {
		req := new(E)
		return req, s.Recv(req)
	}
	last := framework.EchoMessage{Action: actionEnd}
	if err := k.HandleStream(recv, func(m *E) error { return s.Send(m) }); err != nil {
		last.Msg = []byte(err.Error())
	}
	s.SendAndClose(k.NewEcho(last)) // fails only if the connection is lost
	drain(s)
}

// drain receives and drops all further messages.
func drain(s *arpc.Stream) {
	var b []byte
	for s.Recv(&b) == nil {
	}
}

var _ framework.StreamClient = (*streamClient[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage])(nil)

// streamClient is a client for a setup with streams.
type streamClient[E, Q, R any] struct{ client[E, Q, R] }

// OpenStream implements framework.StreamClient. The server learns of the stream with
// its first message.
func (c *streamClient[E, Q, R]) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	conn := c.of(worker)
	if err := conn.CheckState(); err != nil {
		return nil, err
	}
	s := &stream[E, Q, R]{raw: conn.NewStream(methodStream), kind: c.kind}
	s.ctx, s.cancel = context.WithCancel(ctx)
	return c.kind.Stream(native.Stream[E]{Send: s.send, Recv: s.recv, CloseSend: s.closeSend, Close: s.close}), nil
}

// stream is an open stream. arpc has no way to give a stream up, so it is read to its
// end. Otherwise it would stop the other streams and calls of its connection.
type stream[E, Q, R any] struct {
	raw    *arpc.Stream
	kind   native.Kind[E, Q, R]
	ctx    context.Context
	cancel context.CancelFunc

	sends sync.Mutex // held by the sender; the server takes a message after the end for a new stream
	recvs sync.Mutex // held by the receiver
	ended error      // what ended the stream; nil before that
}

func (s *stream[E, Q, R]) send(m *E) error {
	s.sends.Lock()
	defer s.sends.Unlock()
	return s.named(s.raw.SendContext(s.ctx, m))
}

// named adds the context's error to err if the context has ended the stream, because
// arpc always reports a timeout.
func (s *stream[E, Q, R]) named(err error) error {
	if err != nil && s.ctx.Err() != nil {
		return fmt.Errorf("arpc: %w: %w", err, s.ctx.Err())
	}
	return err
}

func (s *stream[E, Q, R]) recv() (*E, error) {
	s.recvs.Lock()
	defer s.recvs.Unlock()
	if s.ended != nil {
		return nil, s.ended
	}
	reply := new(E)
	if err := s.receive(reply); err != nil {
		return nil, s.named(err)
	}
	if m := s.kind.Get(reply); m.Action == actionEnd {
		s.ended = endOf(m)
		return nil, s.ended
	}
	return reply, nil
}

// receive receives a message. It recovers from arpc's panic after the end of a stream,
// when arpc uses the nil message of a closed channel.
func (s *stream[E, Q, R]) receive(reply *E) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.ended, err = errLost, errLost
		}
	}()
	return s.raw.RecvContext(s.ctx, reply)
}

var errLost = errors.New("arpc: the connection was lost before the stream's end")

// endOf returns the error that a last message stands for; io.EOF if that has none.
func endOf(last framework.EchoMessage) error {
	if len(last.Msg) == 0 {
		return io.EOF
	}
	return errors.New(string(last.Msg))
}

func (s *stream[E, Q, R]) closeSend() error {
	s.sends.Lock()
	defer s.sends.Unlock()
	s.raw.CloseSendContext(s.ctx)
	return s.ctx.Err()
}

func (s *stream[E, Q, R]) close() error {
	s.cancel()
	go s.giveUp()
	return nil
}

// giveUp has the server end the stream, and drops all further messages.
func (s *stream[E, Q, R]) giveUp() {
	s.sends.Lock()
	s.raw.CloseSendContext(context.Background())
	s.sends.Unlock()
	s.recvs.Lock()
	defer s.recvs.Unlock()
	drain(s.raw)
}
