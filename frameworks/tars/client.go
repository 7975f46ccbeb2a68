package tars

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/TarsCloud/TarsGo/tars"
	"github.com/TarsCloud/TarsGo/tars/model"
	"github.com/TarsCloud/TarsGo/tars/protocol"
	"github.com/TarsCloud/TarsGo/tars/protocol/codec"
	"github.com/TarsCloud/TarsGo/tars/protocol/res/requestf"
	"github.com/TarsCloud/TarsGo/tars/util/rogger"
	"github.com/TarsCloud/TarsGo/tars/util/tools"

	messages "github.com/rpcbench/rpcbench/codecs/rpc/tars"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.MessageClient = (*client)(nil)

// callTimeout is TarsGo's own for a call, by which alone it notices a connection
// that was lost. It may not differ from call to call: TarsGo keeps a clock for
// each duration, for good.
const callTimeout = 10 * time.Second

// prepare silences TarsGo, which logs to the standard output, and sets its
// limits, for all of the process. TarsGo reads flags of its own when it is
// first used, and would print that it does not know those of a test binary.
var prepare = sync.OnceFunc(func() {
	args := os.Args
	os.Args = args[:1]
	config := tars.GetClientConfig()
	os.Args = args
	rogger.SetLevel(rogger.OFF)
	config.AsyncInvokeTimeout = int(callTimeout.Milliseconds())
	config.ClientWriteTimeout = callTimeout
	protocol.SetMaxPackageLength(maxPackage)
})

// client shares its connections among all workers.
type client struct {
	proxies []*proxy
	conns   []*tars.AdapterProxy // what holds the connections of the proxies
}

// proxy has one connection.
type proxy struct{ model.Servant }

// SetServant implements tars.ProxyPrx.
func (p *proxy) SetServant(s model.Servant) { p.Servant = s }

// sets counts proxies. TarsGo shares the connection of a name in all of a
// process, unless they belong to different sets.
var sets atomic.Int64

func dial(addr string, o framework.DialOptions) (framework.Client, error) {
	prepare()
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	object := fmt.Sprintf("%s@tcp -h %s -p %s -t 60000", servant, host, port)
	c := new(client)
	comm := tars.NewCommunicator()
	for range o.Conns {
		p, set := new(proxy), tars.WithSet(strconv.FormatInt(sets.Add(1), 10))
		comm.StringToProxy(object, p, set)
		adapter, _ := tars.GetManager(comm, object, set).SelectAdapterProxy(new(tars.Message))
		c.proxies, c.conns = append(c.proxies, p), append(c.conns, adapter)
	}
	if err := c.open(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// open makes a call on each connection, since TarsGo opens it with the first.
func (c *client) open() error {
	ctx, cancel := context.WithTimeout(context.Background(), conns.DialTimeout)
	defer cancel()
	for worker := range c.proxies {
		if err := c.call(ctx, worker, methodEcho, new(messages.EchoMessage), new(messages.EchoMessage)); err != nil {
			return fmt.Errorf("tars: no answer to a first call: %w", err)
		}
	}
	return nil
}

// of is the proxy of a worker's next call.
func (c *client) of(worker int) *proxy { return c.proxies[worker%len(c.proxies)] }

// call has the context that TarsGo's calls lack. The reply is of no use with an
// error: TarsGo may still write it.
func (c *client) call(ctx context.Context, worker int, method string, req, reply messages.Message) error {
	p := c.of(worker)
	if ctx.Done() == nil {
		return p.call(ctx, method, req, reply)
	}
	done := make(chan error, 1)
	go func() { done <- p.call(ctx, method, req, reply) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// call is what generated code does.
func (p *proxy) call(ctx context.Context, method string, req, reply messages.Message) error {
	out := codec.NewBuffer()
	if err := messages.Write(out, req, 1); err != nil {
		return err
	}
	var resp requestf.ResponsePacket
	if err := p.TarsInvoke(ctx, 0, method, out.ToBytes(), nil, nil, &resp); err != nil {
		return err
	}
	return messages.Read(codec.NewReader(tools.Int8ToByte(resp.SBuffer)), reply, 0)
}

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return kind.Echo(requests, check, func(ctx context.Context, worker int, req *messages.EchoMessage) (*messages.EchoMessage, error) {
		reply := new(messages.EchoMessage)
		return reply, c.call(ctx, worker, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return kind.Message(workers, check, func(ctx context.Context, worker int, req *messages.BenchMessage) (*messages.BenchMessage, error) {
		reply := new(messages.BenchMessage)
		return reply, c.call(ctx, worker, methodMessage, req, reply)
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, new(messages.EchoMessage), new(messages.EchoMessage))
}

// Close implements framework.Client.
func (c *client) Close() error {
	for _, a := range c.conns {
		a.Close()
	}
	return nil
}
