package motan

import (
	"net"
	"reflect"
	"strconv"

	motango "github.com/weibocom/motan-go"
	"github.com/weibocom/motan-go/core"
	"github.com/weibocom/motan-go/provider"
	motanserver "github.com/weibocom/motan-go/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
)

// server is a running motan-go server.
type server struct {
	motan core.Server
	addr  string
}

// serve chooses the port, because motan-go does not report the one it got.
func serve(addr string, with setup) (framework.Server, error) {
	quiet()
	return address.ServeOnFree(addr, func(free string) (framework.Server, error) { return serveAt(free, with) })
}

func serveAt(addr string, with setup) (framework.Server, error) {
	url, err := serverURL(addr, with)
	if err != nil {
		return nil, err
	}
	factory := motango.GetDefaultExtFactory()
	p := &failing{factory.GetProvider(url).(*provider.DefaultProvider), with.layers.Metadata.Entries > 0}
	p.SetService(with.service())
	p.Initialize()
	handler := factory.GetMessageHandler("default")
	core.Initialize(handler)
	if err := handler.AddProvider(motanserver.WrapWithFilter(p, factory, new(core.Context))); err != nil {
		return nil, err
	}
	s := factory.GetServer(url)
	if err := s.Open(false, false, handler, factory); err != nil {
		return nil, err
	}
	return &server{s, addr}, nil
}

// serverURL describes the service. It claims to be the server of an agent, because
// motan-go's other servers listen on all addresses.
func serverURL(addr string, with setup) (*core.URL, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	return &core.URL{
		Protocol: "motan2", Host: host, Port: n, Path: service, Group: group,
		Parameters: with.parameters(map[string]string{
			core.NodeTypeKey: core.NodeTypeAgent,
			core.ProviderKey: provider.Default,
		}),
	}, nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server. Open connections stay open, because motan-go does
// not keep track of them.
func (s *server) Close() error {
	s.motan.Destroy()
	return nil
}

// failing is motan-go's default provider with errors. The default provider takes
// whatever a method returns for its result.
type failing struct {
	*provider.DefaultProvider
	returns bool // metadata, with the response
}

// Call implements core.Caller.
func (p *failing) Call(req core.Request) core.Response {
	res := p.DefaultProvider.Call(req)
	if v, ok := res.GetValue().(reflect.Value); ok {
		if err, failed := v.Interface().(error); failed {
			return core.BuildExceptionResponse(req.GetRequestID(), &core.Exception{ErrCode: 500, ErrMsg: err.Error(), ErrType: core.BizException})
		}
	}
	if p.returns {
		returned(res, req)
	}
	return res
}
