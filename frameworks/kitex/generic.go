package kitex

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	fast "github.com/cloudwego/gopkg/protocol/thrift"
	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/generic"
	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/server/genericserver"
	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// The pairs of generic calls are those of kitex-benchmark's directory
// "generic": a generic client each, and a generic server but for HTTP.

//go:embed internal/idl/bench.thrift
var idl string

// clientIDL has the method that servers lack.
func clientIDL() string {
	const service = "service Bencher {"
	method := fmt.Sprintf(`EchoMessage %s(1: EchoMessage request) (api.post = "/%[1]s");`, unknown)
	return strings.Replace(idl, service, service+method, 1)
}

// provider reads an IDL.
type provider func(idl string) (generic.DescriptorProvider, error)

func plainIDL(idl string) (generic.DescriptorProvider, error) {
	return generic.NewThriftContentWithAbsIncludePathProvider(idlPath, map[string]string{idlPath: idl})
}

func dynamicgoIDL(idl string) (generic.DescriptorProvider, error) {
	return generic.NewThriftContentWithAbsIncludePathProviderWithDynamicGo(idlPath, map[string]string{idlPath: idl})
}

// idlPath is a name: no file is read.
const idlPath = "bench.thrift"

// binaryGeneric hands encoded thrift through.
func binaryGeneric() (generic.Generic, error) { return generic.BinaryThriftGenericV2("Bencher"), nil }

var genericBinary = codec{
	name: "generic-binary",
	about: "generic calls of encoded thrift on both sides; client and handler marshal kitex's generated messages" +
		" by FastMarshal and FastUnmarshal in each call, as kitex-benchmark does",
	register: func(svr server.Server) error {
		return genericserver.RegisterUnknownServiceOrMethodHandler(svr, &genericserver.UnknownServiceOrMethodHandler{DefaultHandler: handleBinary})
	},
	connect: func(options []client.Option) (stub, error) {
		c, err := connectGeneric(binaryGeneric, options)
		return binaryStub{c}, err
	},
}

// handleBinary is the service over encoded arguments and results.
func handleBinary(_ context.Context, _, method string, request any) (any, error) {
	switch method {
	case "Echo":
		var args thrift.BencherEchoArgs
		if err := fast.FastUnmarshal(request.([]byte), &args); err != nil {
			return nil, err
		}
		if err := framework.HandleEcho(args.Request.GetAction()); err != nil {
			return nil, err
		}
		return fast.FastMarshal(&thrift.BencherEchoResult{Success: args.Request}), nil
	case "Message":
		var args thrift.BencherMessageArgs
		if err := fast.FastUnmarshal(request.([]byte), &args); err != nil {
			return nil, err
		}
		answerThrift(args.Request)
		return fast.FastMarshal(&thrift.BencherMessageResult{Success: args.Request}), nil
	}
	return nil, errNoMethod
}

// errNoMethod is for the compiler and for binary calls: kitex itself knows
// what the IDL lacks.
var errNoMethod = errors.New("no such method")

// binaryStub calls by encoded thrift.
type binaryStub struct{ genericClient }

func (s binaryStub) echo(method string, m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error) {
	args := &thrift.BencherEchoArgs{Request: newThriftEcho(m)}
	return func(ctx context.Context) (framework.EchoMessage, error) {
		var result thrift.BencherEchoResult
		if err := s.callBinary(ctx, method, args, &result); err != nil {
			return framework.EchoMessage{}, err
		}
		reply := result.GetSuccess()
		return framework.EchoMessage{Action: reply.GetAction(), Msg: reply.GetMsg()}, nil
	}
}

func (s binaryStub) message() func(context.Context) (benchReply, error) {
	args := &thrift.BencherMessageArgs{Request: thrift.NewBenchMessage()}
	framework.Fill(args.Request)
	return func(ctx context.Context) (benchReply, error) {
		var result thrift.BencherMessageResult
		err := s.callBinary(ctx, "Message", args, &result)
		return result.GetSuccess(), err
	}
}

func (s binaryStub) callBinary(ctx context.Context, method string, args, result fast.FastCodec) error {
	reply, err := s.call(ctx, method, fast.FastMarshal(args))
	if err != nil {
		return err
	}
	return fast.FastUnmarshal(reply.([]byte), result)
}

// genericClient makes generic calls as package genericclient does, whose
// clients cannot be closed.
type genericClient struct {
	client  client.Client
	info    *serviceinfo.ServiceInfo
	generic generic.Generic
}

func connectGeneric(make func() (generic.Generic, error), options []client.Option) (genericClient, error) {
	g, err := make()
	if err != nil {
		return genericClient{}, err
	}
	info := generic.ServiceInfoWithGeneric(g)
	c, err := client.NewClient(info, append(options, client.WithGeneric(g))...)
	if err != nil {
		return genericClient{}, errors.Join(err, g.Close())
	}
	return genericClient{c, info, g}, nil
}

// call calls a method by a request of the kind that the generic takes, and
// returns a reply of that kind.
func (c genericClient) call(ctx context.Context, method string, request any) (any, error) {
	info := c.info.MethodInfo(ctx, method)
	args, result := info.NewArgs().(*generic.Args), info.NewResult().(*generic.Result)
	args.Method, args.Request = method, request
	if err := c.client.Call(ctx, method, args, result); err != nil {
		return nil, err
	}
	return result.GetSuccess(), nil
}

// Close closes the client's connections and its reader of the IDL.
func (c genericClient) Close() error { return errors.Join(closeClient(c.client), c.generic.Close()) }

// registerGeneric tells a server of a service that is answered by one
// function for all methods.
func registerGeneric(make func() (generic.Generic, error), handle func(method string, request any) (any, error)) func(server.Server) error {
	return func(svr server.Server) error {
		g, err := make()
		if err != nil {
			return err
		}
		return genericserver.RegisterService(svr, &generic.ServiceV2{
			GenericCall: func(_ context.Context, _, method string, request any) (any, error) { return handle(method, request) },
		}, g)
	}
}
