package native

import (
	"errors"
	"io"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// HandleStream is the handler of a stream. It returns nil after the client's last
// message, when recv returns io.EOF. It calls send from one goroutine at a time, and from
// another than recv on a stream that subscribes. A message must be encoded when send returns.
func (k Kind[E, Q, R]) HandleStream(recv func() (*E, error), send func(*E) error) error {
	var h handler.Stream
	defer h.End()
	answer := func(m framework.EchoMessage) error {
		reply := new(E)
		k.Set(reply, m)
		return send(reply)
	}
	for {
		m, err := recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = h.Handle(k.Get(m), answer)
		}
		if err != nil {
			return err
		}
	}
}

// Stream is a framework's own stream on the client's side. Recv returns a fresh
// message; the other functions do what framework.EchoStream says.
type Stream[E any] struct {
	Send             func(*E) error
	Recv             func() (*E, error)
	CloseSend, Close func() error
}

// Stream makes a framework.EchoStream of a stream of native messages.
func (k Kind[E, Q, R]) Stream(s Stream[E]) framework.EchoStream { return &echoStream[E, Q, R]{k, s} }

type echoStream[E, Q, R any] struct {
	kind   Kind[E, Q, R]
	native Stream[E]
}

// Send implements framework.EchoStream. It makes a new native message each time,
// because frameworks forbid changing a message that was sent.
func (s *echoStream[E, Q, R]) Send(m framework.EchoMessage) error {
	native := new(E)
	s.kind.Set(native, m)
	return s.native.Send(native)
}

// Recv implements framework.EchoStream.
func (s *echoStream[E, Q, R]) Recv() (framework.EchoMessage, error) {
	native, err := s.native.Recv()
	if err != nil {
		return framework.EchoMessage{}, err
	}
	return s.kind.Get(native), nil
}

// CloseSend implements framework.EchoStream.
func (s *echoStream[E, Q, R]) CloseSend() error { return s.native.CloseSend() }

// Close implements framework.EchoStream.
func (s *echoStream[E, Q, R]) Close() error { return s.native.Close() }
