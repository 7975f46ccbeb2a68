package tars

import (
	"cmp"
	"context"
	"fmt"
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
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.MessageClient = (*client)(nil)

// callTimeout is the timeout that TarsGo is given for calls. Only by it does TarsGo
// notice a lost connection. All calls have the same one, because TarsGo keeps a clock
// for each duration for ever.
const callTimeout = 10 * time.Second

// prepare turns off TarsGo's log, which goes to the standard output, and sets its
// limits, for the whole process. TarsGo parses flags of its own when it is first used,
// and would report those of a test binary as unknown.
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
	conns   []*tars.AdapterProxy // they hold the connections of the proxies
}

// proxy has one connection.
type proxy struct {
	model.Servant
	calls *metadata.Calls // of none, if calls carry no metadata
}

// SetServant implements tars.ProxyPrx.
func (p *proxy) SetServant(s model.Servant) { p.Servant = s }

// sets counts proxies. TarsGo shares a connection among all proxies with the same
// name, unless they belong to different sets.
var sets atomic.Int64

func dial(addr string, s setup, o framework.DialOptions) (framework.Client, error) {
	prepare()
	host, port, err := split(addr)
	if err != nil {
		return nil, err
	}
	object := fmt.Sprintf("%s@tcp -h %s -p %s -t 60000", servant, host, port)
	c := new(client)
	comm := tars.NewCommunicator()
	calls := s.layers.Metadata.Calls()
	for range o.Conns {
		p, set := &proxy{calls: calls}, tars.WithSet(strconv.FormatInt(sets.Add(1), 10))
		comm.StringToProxy(object, p, set)
		adapter, _ := tars.GetManager(comm, object, set).SelectAdapterProxy(new(tars.Message))
		c.proxies, c.conns = append(c.proxies, p), append(c.conns, adapter)
	}
	if err := c.open(cmp.Or(o.Patience, conns.DialTimeout)); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// open makes a call on each connection, because TarsGo opens a connection with its
// first call.
func (c *client) open(patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for worker := range c.proxies {
		if err := c.call(ctx, worker, methodEcho, new(messages.EchoMessage), new(messages.EchoMessage)); err != nil {
			return fmt.Errorf("tars: no answer to a first call: %w", err)
		}
	}
	return nil
}

// of returns the proxy of a worker's next call.
func (c *client) of(worker int) *proxy { return c.proxies[worker%len(c.proxies)] }

// call is a call that ends with its context, which TarsGo's calls do not. After an
// error the reply must not be read, because TarsGo may still write it.
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

// call makes a call as generated code does.
func (p *proxy) call(ctx context.Context, method string, req, reply messages.Message) error {
	out := codec.NewBuffer()
	if err := messages.Write(out, req, 1); err != nil {
		return err
	}
	var resp requestf.ResponsePacket
	sent, carried := p.calls.Next(), map[string]string(nil)
	if sent.Len() > 0 {
		carried = sent.Map()
	}
	if err := p.TarsInvoke(ctx, 0, method, out.ToBytes(), nil, carried, &resp); err != nil {
		return err
	}
	if err := sent.Same(resp.Context); err != nil {
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
