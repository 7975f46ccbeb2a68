package native

import (
	"errors"
	"io"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// HandleStream is the handler of a stream. It returns nil after the client's last
// message, when recv returns io.EOF.
func (k Kind[E, Q, R]) HandleStream(recv func() (*E, error), send func(*E) error) error {
	var h framework.StreamHandler
	for {
		m, err := recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = k.answerTo(m, &h, send)
		}
		if err != nil {
			return err
		}
	}
}

// answerTo sends the answer to a message, if it has one.
func (k Kind[E, Q, R]) answerTo(m *E, h *framework.StreamHandler, send func(*E) error) error {
	answer, ok, err := h.Handle(k.Get(m))
	if err != nil || !ok {
		return err
	}
	reply := new(E)
	k.Set(reply, answer)
	return send(reply)
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
