// Package netrpc adapts the standard library's net/rpc, with its own gob
// encoding and with JSON-RPC.
package netrpc

import (
	"io"
	"net"
	"net/rpc"
	"net/rpc/jsonrpc"

	"github.com/rpcbench/rpcbench/codecs/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// codec is one of the ways in which net/rpc encodes.
type codec struct {
	name        string
	recommended bool
	serve       func(*rpc.Server, io.ReadWriteCloser)
	client      func(io.ReadWriteCloser) *rpc.Client
}

// Variants lists net/rpc in its encodings.
func Variants() []suite.Variant {
	return []suite.Variant{
		codec{"gob", true, (*rpc.Server).ServeConn, rpc.NewClient}.variant(),
		codec{"json", false, serveJSON, jsonrpc.NewClient}.variant(),
	}
}

func (c codec) variant() suite.Variant {
	return suite.Variant{
		Framework: "netrpc", Transport: "tcp", Codec: c.name, Recommended: c.recommended,
		Serve: func(addr string) (suite.Server, error) { return serve(addr, c) },
		Dial:  func(addr string, o suite.DialOptions) (suite.Client, error) { return dial(addr, o, c) },
	}
}

func serveJSON(s *rpc.Server, c io.ReadWriteCloser) { s.ServeCodec(jsonrpc.NewServerCodec(c)) }

// serve keeps account of the connections itself: net/rpc would go on serving
// those that are open when its listener has been closed.
func serve(addr string, codec codec) (suite.Server, error) {
	s := rpc.NewServer()
	if err := s.RegisterName("Bencher", &Bencher{}); err != nil {
		return nil, err
	}
	l, err := conns.Serve(addr, func(c net.Conn) { codec.serve(s, c) })
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Bencher is the service. It is exported because net/rpc asks for that.
type Bencher struct{}

// Echo sends the request back.
func (*Bencher) Echo(req, reply *plain.EchoMessage) error {
	if err := suite.HandleEcho(req.Action); err != nil {
		return err
	}
	*reply = *req
	return nil
}

// Message answers the bench message.
func (*Bencher) Message(req, reply *plain.BenchMessage) error {
	req.Field1, req.Field2 = suite.AnswerField1, suite.AnswerField2
	*reply = *req
	return nil
}
