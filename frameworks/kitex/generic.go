package kitex

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/generic"
	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/server/genericserver"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// The pairs of client and server are those of kitex-benchmark's directory "generic".
// Each client is generic, and each server but the one for HTTP.

//go:embed internal/idl/bench.thrift
var idl string

// clientIDL returns the IDL of clients, which has a method that servers lack.
func clientIDL() string {
	const service = "service Bencher {"
	method := fmt.Sprintf(`EchoMessage %s(1: EchoMessage request) (api.post = "/%[1]s");`, methodUnknown)
	return strings.Replace(idl, service, service+method, 1)
}

// provider parses an IDL.
type provider func(idl string) (generic.DescriptorProvider, error)

func plainIDL(idl string) (generic.DescriptorProvider, error) {
	return generic.NewThriftContentWithAbsIncludePathProvider(idlPath, map[string]string{idlPath: idl})
}

func dynamicgoIDL(idl string) (generic.DescriptorProvider, error) {
	return generic.NewThriftContentWithAbsIncludePathProviderWithDynamicGo(idlPath, map[string]string{idlPath: idl})
}

// idlPath is only a name. No file is read.
const idlPath = "bench.thrift"

// errNoMethod is returned for unknown methods of binary calls. For other calls kitex
// itself refuses methods that the IDL lacks.
var errNoMethod = fmt.Errorf("%w: no such method", handler.ErrNotImplemented)

// genericStub prepares the calls of a client. The request of a call is built before,
// and encoded during the call, which is measured.
type genericStub interface {
	echo(method string, m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error)
	message() (call messageCall, number func(int64))
	io.Closer
}

// messageCall is a call of the bench message, whose number is set before.
type messageCall = func(context.Context) (benchReply, error)

// benchReply is a decoded bench message.
type benchReply interface {
	GetField1() string
	GetField2() int32
}

// genericClient makes generic calls.
type genericClient struct{ genericStub }

var _ framework.MessageClient = genericClient{}

// Echo implements framework.Client.
func (c genericClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	calls := framework.NewNatives(requests, func(m framework.EchoMessage) func(context.Context) (framework.EchoMessage, error) {
		return c.echo(methodEcho, m)
	})
	return func(ctx context.Context, worker int) error {
		reply, err := calls.Of(worker)(ctx)
		if err != nil {
			return err
		}
		return check(worker, reply)
	}
}

// Message implements framework.MessageClient.
func (c genericClient) Message(workers int, check framework.MessageCheck) loadgen.Call {
	calls := message.RequestsOf(workers, c.message)
	return func(ctx context.Context, worker int) error {
		reply, err := calls.Of(worker)(ctx)
		if err != nil {
			return err
		}
		calls.Done(worker)
		return check(worker, reply.GetField1(), reply.GetField2(), reply)
	}
}

// CallUnknown implements framework.MethodClient.
func (c genericClient) CallUnknown(ctx context.Context) error {
	_, err := c.echo(methodUnknown, framework.EchoMessage{})(ctx)
	return err
}

// genericConn makes generic calls as package genericclient does. It replaces that
// package because its clients cannot be closed.
type genericConn struct {
	client  kitexclient.Client
	info    *serviceinfo.ServiceInfo
	generic generic.Generic
}

func connectGeneric(make func() (generic.Generic, error), options []kitexclient.Option) (genericConn, error) {
	g, err := make()
	if err != nil {
		return genericConn{}, err
	}
	info := generic.ServiceInfoWithGeneric(g)
	c, err := kitexclient.NewClient(info, append(options, kitexclient.WithGeneric(g))...)
	if err != nil {
		return genericConn{}, errors.Join(err, g.Close())
	}
	return genericConn{c, info, g}, nil
}

// call calls a method. Request and reply have the type that the client's generic
// takes.
func (c genericConn) call(ctx context.Context, method string, request any) (any, error) {
	info := c.info.MethodInfo(ctx, method)
	args, result := info.NewArgs().(*generic.Args), info.NewResult().(*generic.Result)
	args.Method, args.Request = method, request
	if err := c.client.Call(ctx, method, args, result); err != nil {
		return nil, err
	}
	return result.GetSuccess(), nil
}

// Close closes the client's connections and its generic.
func (c genericConn) Close() error { return errors.Join(closeClient(c.client), c.generic.Close()) }

// registerGeneric registers a service whose methods all have the same handler.
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
