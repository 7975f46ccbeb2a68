package rpcx

import (
	"context"

	"github.com/smallnest/rpcx/server"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

func register[E, Q, R any](s *server.Server, k native.Kind[E, Q, R], handlers bool) error {
	if !handlers {
		return s.RegisterName(servicePath, &Bencher[E, Q, R]{k}, "")
	}
	s.AddHandler(servicePath, methodEcho, handlerOf(k.HandleEcho))
	s.AddHandler(servicePath, methodMessage, handlerOf(k.HandleMessage))
	return nil
}

// Bencher is the service. It is exported because rpcx requires it.
type Bencher[E, Q, R any] struct{ kind native.Kind[E, Q, R] }

// Echo sends the request back.
func (b *Bencher[E, Q, R]) Echo(_ context.Context, req, reply *E) error {
	return b.kind.FillEcho(req, reply)
}

// Message answers the message of its Kind.
func (b *Bencher[E, Q, R]) Message(_ context.Context, req *Q, reply *R) error {
	return b.kind.FillMessage(req, reply)
}

func handlerOf[Q, R any](handle func(*Q) (*R, error)) func(*server.Context) error {
	return func(ctx *server.Context) error {
		req := new(Q)
		if err := ctx.Bind(req); err != nil {
			return err
		}
		reply, err := handle(req)
		if err != nil {
			return err
		}
		return ctx.Write(reply)
	}
}

// RawBencher is the service over bytes. A reply may be the request itself, because rpcx
// reads each message into fresh memory.
type RawBencher struct{}

// Echo sends the request back.
func (*RawBencher) Echo(_ context.Context, req, reply *[]byte) error {
	count.Call()
	*reply = *req
	return nil
}

// Fail returns an error.
func (*RawBencher) Fail(_ context.Context, _, _ *[]byte) error {
	_, err := handler.Echo(handler.ActionFail, nil)
	return err
}
