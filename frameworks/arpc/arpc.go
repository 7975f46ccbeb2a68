// Package arpc adapts arpc with protobuf messages, its server on the standard
// library's network and on nbio's event loop.
//
// Options are those that arpc starts with. Among them are batched reads and
// writes, a queue of 4096 messages for a connection's writer, handlers that
// run in goroutines of their own, and Nagle's algorithm, which arpc switches
// on for its connections.
package arpc

import (
	"fmt"
	"net"
	"sync"

	"github.com/lesismal/arpc"
	"github.com/lesismal/arpc/log"
	"github.com/lesismal/nbio/logging"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// MaxMessage is the largest echo payload in bytes: arpc's own limit, 64 MiB
// less its header, is lifted on both sides.
const MaxMessage = 256 << 20

// maxBody leaves room for what the encoding adds to a payload.
const maxBody = MaxMessage + 64<<10

// Names of the methods.
const (
	methodEcho    = "/echo"
	methodMessage = "/message"
	methodUnknown = "/unknown"
)

// Variants lists arpc with both of its servers. The client of both is the same,
// on the standard library's network: nbio is made for servers with more
// connections than goroutines are good for.
func Variants() []suite.Variant {
	const races = "arpc writes running and reconnecting without a lock when it stops or loses its connection"
	modules := []string{"github.com/lesismal/arpc", "google.golang.org/protobuf"}
	return []suite.Variant{
		{
			Framework: "arpc", Transport: "net", Codec: "protobuf",
			Recommended: true, MaxMessage: MaxMessage, Modules: modules, Races: races,
			Serve: serveNet, Dial: dial,
		},
		{
			Framework: "arpc", Transport: "nbio", Codec: "protobuf",
			MaxMessage: MaxMessage, Modules: append(modules, "github.com/lesismal/nbio"), Races: races,
			Serve: serveNBIO, Dial: dial,
		},
	}
}

// quiet silences arpc and nbio, which log to the standard output: for all of
// the process, since their loggers are global.
var quiet = sync.OnceFunc(func() {
	log.SetLevel(log.LevelNone)
	logging.SetLevel(logging.LevelNone)
})

// netServer is a running server on the standard library's network.
type netServer struct {
	listener net.Listener
	ended    chan struct{} // closed when its connections are dropped
}

func serveNet(addr string) (suite.Server, error) {
	quiet()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := arpc.NewServer()
	s.Codec = codec{}
	route(s.Handler)
	n := &netServer{l, make(chan struct{})}
	go func() {
		defer close(n.ended)
		s.Serve(l) // its error says that the listener was closed
	}()
	return n, nil
}

// Addr implements suite.Server.
func (s *netServer) Addr() string { return s.listener.Addr().String() }

// Close implements suite.Server. Without its listener an arpc server ends and
// drops its connections.
func (s *netServer) Close() error {
	err := s.listener.Close()
	<-s.ended
	return err
}

// route sets up h for a server's side.
func route(h arpc.Handler) {
	h.SetMaxBodyLen(maxBody)
	h.Handle(methodEcho, echo)
	h.Handle(methodMessage, message)
}

func echo(ctx *arpc.Context) {
	req := new(protobuf.EchoMessage)
	err := ctx.Bind(req)
	if err == nil {
		err = suite.HandleEcho(req.Action)
	}
	if err != nil {
		ctx.Error(err)
		return
	}
	ctx.Write(&protobuf.EchoMessage{Action: req.Action, Msg: req.Msg})
}

func message(ctx *arpc.Context) {
	req := new(protobuf.BenchMessage)
	if err := ctx.Bind(req); err != nil {
		ctx.Error(err)
		return
	}
	req.Field1, req.Field2 = proto.String(suite.AnswerField1), proto.Int32(suite.AnswerField2)
	ctx.Write(req)
}

// codec is arpc's codec interface over protobuf.
type codec struct{}

// Marshal implements arpc's codec.Codec.
func (codec) Marshal(v any) ([]byte, error) {
	m, ok := v.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("arpc: %T is no protobuf message", v)
	}
	return proto.Marshal(m)
}

// Unmarshal implements arpc's codec.Codec.
func (codec) Unmarshal(data []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return fmt.Errorf("arpc: %T is no protobuf message", v)
	}
	return proto.Unmarshal(data, m)
}
