package rpcx

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/smallnest/rpcx/codec"
	"github.com/smallnest/rpcx/log"
	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/server"
	"github.com/smallnest/rpcx/share"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/codecs/rpc/thrift"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// serializeGob is a number that rpcx itself gives to no serializer.
const serializeGob protocol.SerializeType = 5

// MaxMessage is the largest echo payload in bytes. rpcx itself has no limit.
const MaxMessage = 256 << 20

// announced is what a few bytes of a stranger can do.
const announced = "rpcx allocates a message when its length has arrived, up to MaxMessageLength, set to 384 MiB where it has no limit"

// prepare turns off rpcx's log, which goes to the standard output, limits messages with
// room for what JSON adds to a payload, and changes rpcx's tables of codecs and of compressors.
// All of it is global. It is called before the first connection, which reads the tables.
var prepare = sync.OnceFunc(func() {
	log.SetDummyLogger()
	protocol.MaxMessageLength = MaxMessage + MaxMessage/2
	share.RegisterCodec(serializeGob, gob{})
	share.RegisterCodec(protocol.SerializeNone, onlyBytes{})
	share.RegisterCodec(protocol.Thrift, onlyThrift{})
	addCompressors()
})

// gob implements rpcx's codec.Codec.
type gob struct{}

func (gob) Encode(v any) ([]byte, error)    { return dynamic.Gob.Marshal(v) }
func (gob) Decode(data []byte, v any) error { return dynamic.Gob.Unmarshal(data, v) }

// onlyBytes and onlyThrift are rpcx's codecs, but refuse the messages of others. The
// serializer is named in each message, and rpcx's own panic in the client if a flipped
// bit names another.
type (
	onlyBytes  struct{ codec.ByteCodec }
	onlyThrift struct{ codec.ThriftCodec }
)

func (c onlyBytes) Decode(data []byte, v any) error {
	if _, ok := v.(*[]byte); !ok {
		return fmt.Errorf("rpcx: bytes for a %T", v)
	}
	return c.ByteCodec.Decode(data, v)
}

func (c onlyThrift) Decode(data []byte, v any) error {
	switch v.(type) {
	case *thrift.EchoMessage, *thrift.BenchMessage:
		return c.ThriftCodec.Decode(data, v)
	}
	return fmt.Errorf("rpcx: thrift for a %T", v)
}

// rpcxServer is a running rpcx server.
type rpcxServer struct {
	rpcx     *server.Server
	listener net.Listener
}

func serve(addr string, s setup, k kind) (framework.Server, error) {
	prepare()
	x := server.NewServer(s.options...)
	if err := k.register(x, s.handlers); err != nil {
		return nil, err
	}
	l, err := conns.ListenTLS(s.layers.ServerTLS(), addr)
	if err != nil {
		return nil, err
	}
	go x.ServeListener(framework.NetworkOf(addr), l) // returns an error when the server is closed
	<-x.Started
	return &rpcxServer{x, l}, nil
}

// Addr implements framework.Server.
func (s *rpcxServer) Addr() string { return s.listener.Addr().String() }

// Close implements framework.Server.
func (s *rpcxServer) Close() error { return s.rpcx.Close() }

func register[E, B any](s *server.Server, k native.Kind[E, B], handlers bool) error {
	if !handlers {
		return s.RegisterName(servicePath, &Bencher[E, B]{k}, "")
	}
	s.AddHandler(servicePath, methodEcho, handler(k.HandleEcho))
	s.AddHandler(servicePath, methodMessage, handler(k.HandleMessage))
	return nil
}

// Bencher is the service. It is exported because rpcx requires it.
type Bencher[E, B any] struct{ kind native.Kind[E, B] }

// Echo sends the request back.
func (b *Bencher[E, B]) Echo(_ context.Context, req, reply *E) error {
	return b.kind.FillEcho(req, reply)
}

// Message answers the bench message.
func (b *Bencher[E, B]) Message(_ context.Context, req, reply *B) error {
	return b.kind.FillMessage(req, reply)
}

func handler[M any](handle func(*M) (*M, error)) func(*server.Context) error {
	return func(ctx *server.Context) error {
		req := new(M)
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
	framework.CountHandled()
	*reply = *req
	return nil
}

// Fail returns an error.
func (*RawBencher) Fail(_ context.Context, _, _ *[]byte) error {
	_, err := framework.HandleEcho(framework.ActionFail, nil)
	return err
}
