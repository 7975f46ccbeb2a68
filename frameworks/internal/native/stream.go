package native

import (
	"errors"
	"io"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// HandleStream is the handler of a stream. It returns nil when the client has
// sent its last message, for which recv returns io.EOF.
func (k Kind[E, B]) HandleStream(recv func() (*E, error), send func(*E) error) error {
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

// answerTo sends the answer to a message, if there is one.
func (k Kind[E, B]) answerTo(m *E, h *framework.StreamHandler, send func(*E) error) error {
	answer, ok, err := h.Handle(k.Get(m))
	if err != nil || !ok {
		return err
	}
	reply := new(E)
	k.Set(reply, answer)
	return send(reply)
}

// Stream is what a framework's client has of a stream. Recv returns a fresh
// message; the rest is as framework.EchoStream has it.
type Stream[E any] struct {
	Send             func(*E) error
	Recv             func() (*E, error)
	CloseSend, Close func() error
}

// Stream makes a stream of native messages one of the suite's.
func (k Kind[E, B]) Stream(s Stream[E]) framework.EchoStream { return &echoStream[E, B]{k, s} }

type echoStream[E, B any] struct {
	kind   Kind[E, B]
	native Stream[E]
}

// Send implements framework.EchoStream. Each message is a new one: frameworks
// forbid to change what they were given.
func (s *echoStream[E, B]) Send(m framework.EchoMessage) error {
	native := new(E)
	s.kind.Set(native, m)
	return s.native.Send(native)
}

// Recv implements framework.EchoStream.
func (s *echoStream[E, B]) Recv() (framework.EchoMessage, error) {
	native, err := s.native.Recv()
	if err != nil {
		return framework.EchoMessage{}, err
	}
	return s.kind.Get(native), nil
}

// CloseSend implements framework.EchoStream.
func (s *echoStream[E, B]) CloseSend() error { return s.native.CloseSend() }

// Close implements framework.EchoStream.
func (s *echoStream[E, B]) Close() error { return s.native.Close() }
