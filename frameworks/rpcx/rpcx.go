// Package rpcx adapts rpcx over TCP with protobuf messages.
package rpcx

import (
	"context"
	"net"
	"sync"

	"github.com/smallnest/rpcx/log"
	"github.com/smallnest/rpcx/server"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// servicePath is the service's name on both sides.
const servicePath = "Bencher"

// Variants lists rpcx in the transport its documentation starts with. It has
// no limit on the size of messages.
func Variants() []suite.Variant {
	return []suite.Variant{{
		Framework: "rpcx", Transport: "tcp", Codec: "protobuf",
		Recommended: true,
		Modules:     []string{"github.com/smallnest/rpcx", "google.golang.org/protobuf"},
		Races:       "rpcx reads a call's sequence number without its lock when a context ends, and isShutdown when it closes",
		Serve:       serve,
		Dial:        dial,
	}}
}

// quiet silences rpcx, which logs to the standard output: for all of the
// process, since its logger is global.
var quiet = sync.OnceFunc(log.SetDummyLogger)

// rpcxServer is a running rpcx server.
type rpcxServer struct {
	rpcx     *server.Server
	listener net.Listener
}

func serve(addr string) (suite.Server, error) {
	quiet()
	s := server.NewServer()
	if err := s.RegisterName(servicePath, new(Bencher), ""); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	go s.ServeListener("tcp", l) // its error says that the server was closed
	<-s.Started
	return &rpcxServer{s, l}, nil
}

// Addr implements suite.Server.
func (s *rpcxServer) Addr() string { return s.listener.Addr().String() }

// Close implements suite.Server.
func (s *rpcxServer) Close() error { return s.rpcx.Close() }

// Bencher is the service. It is exported because rpcx asks for that.
type Bencher struct{}

// Echo sends the request back.
func (*Bencher) Echo(_ context.Context, req, reply *protobuf.EchoMessage) error {
	if err := suite.HandleEcho(req.Action); err != nil {
		return err
	}
	reply.Action, reply.Msg = req.Action, req.Msg
	return nil
}

// Message answers the bench message.
func (*Bencher) Message(_ context.Context, req, reply *protobuf.BenchMessage) error {
	share(reply, req)
	reply.Field1, reply.Field2 = proto.String(suite.AnswerField1), proto.Int32(suite.AnswerField2)
	return nil
}
