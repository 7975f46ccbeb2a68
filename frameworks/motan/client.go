package motan

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	motango "github.com/weibocom/motan-go"
	"github.com/weibocom/motan-go/cluster"
	"github.com/weibocom/motan-go/core"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client)(nil)
	_ framework.AsyncClient   = (*client)(nil)
)

const (
	dialTimeout = 10 * time.Second
	// callTimeout is the timeout of a call, which motan-go requires.
	callTimeout = time.Minute
)

// hello is the message of a first call. It is not empty, because motan-go takes an
// argument of no bytes for a missing one.
var hello = framework.EchoMessage{Action: handler.ActionEcho}

// client shares the connections of a cluster among all workers.
type client struct {
	motan *motango.Client
	conns *cluster.MotanCluster // holds the connections
	kind  kind
	calls *metadata.Calls // nil: calls carry no metadata
	keyed bool            // calls carry the key of a user
	users atomic.Uint64   // of calls so far
}

func dial(addrs []string, s setup, b balancing, o framework.DialOptions) (framework.Client, error) {
	quiet()
	factory := motango.GetDefaultExtFactory()
	url := clientURL(s, o)
	url.PutParam(core.Lbkey, b.motan)
	all := cluster.NewCluster(&core.Context{
		RegistryURLs: map[string]*core.URL{"direct": {
			Protocol: "direct", Parameters: map[string]string{core.AddressKey: strings.Join(addrs, ",")},
		}},
		ClientURL: &core.URL{Parameters: map[string]string{}},
	}, factory, url, false)
	c := &client{motan: motango.NewClient(url, all, factory), conns: all, kind: s.kind, keyed: b.keyed}
	if set := s.layers.Metadata; set.Entries > 0 {
		c.calls = set.Calls()
	}
	if err := c.open(len(addrs), cmp.Or(o.Patience, dialTimeout)); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// clientURL describes the service and the options of its calls.
func clientURL(s setup, o framework.DialOptions) *core.URL {
	return &core.URL{
		Protocol: "motan2", Path: service, Group: group,
		Parameters: s.parameters(map[string]string{
			core.ApplicationKey:      group,
			core.RegistryKey:         "direct",
			core.RetriesKey:          "0",
			core.TimeOutKey:          strconv.FormatInt(callTimeout.Milliseconds(), 10),
			core.ConnectTimeoutKey:   strconv.FormatInt(dialTimeout.Milliseconds(), 10),
			core.ClientConnectionKey: strconv.Itoa(o.Conns),
			core.AsyncInitConnection: "false", // otherwise the first calls find no connection
		}),
	}
}

// open makes a call to each server, because the cluster does not report whether it has
// connected.
func (c *client) open(servers int, patience time.Duration) error {
	if n := len(c.conns.GetRefers()); n != servers {
		return fmt.Errorf("motan: connected to %d of %d servers", n, servers)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for range servers {
		if err := c.call(ctx, methodEcho, c.kind.newEcho(hello), c.kind.echoReply()); err != nil {
			return fmt.Errorf("motan: no answer to a first call: %w", err)
		}
	}
	return nil
}

// call is a call that ends with its context, which motan-go's calls do not. After an
// error the reply must not be read, because motan-go may still write it.
func (c *client) call(ctx context.Context, method string, argument, reply any) error {
	switch {
	case c.calls != nil && ctx.Done() == nil:
		return c.carried(method, argument, reply)
	case c.calls != nil:
		return c.carriedAsync(ctx, method, argument, reply)
	case ctx.Done() == nil:
		return c.motan.BaseCall(c.request(method, argument), reply)
	}
	result := c.motan.BaseGo(c.request(method, argument), reply, make(chan *core.AsyncResult, 1))
	select {
	case <-result.Done:
		return result.Error
	case <-ctx.Done():
		return ctx.Err()
	}
}

// request is a call's. With consistent hashing it carries the key of a user, of all in turn.
func (c *client) request(method string, argument any) core.Request {
	r := c.motan.BuildRequest(method, []any{argument})
	if c.keyed {
		r.SetAttachment(core.ConsistentHashKey, strconv.FormatUint(c.users.Add(1)%users, 10))
	}
	return r
}

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	arguments := framework.NewNatives(requests, c.kind.newEcho)
	return func(ctx context.Context, worker int) error {
		reply := c.kind.echoReply()
		if err := c.call(ctx, methodEcho, arguments.Of(worker), reply); err != nil {
			return err
		}
		return check(worker, c.kind.get(reply))
	}
}

// EchoAsync implements framework.AsyncClient. motan-go's Go makes a call in a goroutine;
// another goroutine waits for its result.
func (c *client) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	arguments := framework.NewNatives(requests, c.kind.newEcho)
	return func(ctx context.Context, worker int, done func(error)) {
		reply := c.kind.echoReply()
		if c.calls != nil {
			go func() {
				err := c.carriedAsync(ctx, methodEcho, arguments.Of(worker), reply)
				if err == nil {
					err = check(worker, c.kind.get(reply))
				}
				done(err)
			}()
			return
		}
		result := c.motan.BaseGo(c.request(methodEcho, arguments.Of(worker)), reply, make(chan *core.AsyncResult, 1))
		go func() {
			select {
			case <-result.Done:
				if result.Error != nil {
					done(result.Error)
					return
				}
				done(check(worker, c.kind.get(reply)))
			case <-ctx.Done():
				done(ctx.Err())
			}
		}()
	}
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	arguments := message.RequestsOf(workers, c.kind.newBench)
	return func(ctx context.Context, worker int) error {
		reply := c.kind.benchReply()
		if err := c.call(ctx, methodMessage, arguments.Of(worker), reply); err != nil {
			return err
		}
		arguments.Done(worker)
		field1, field2, native := c.kind.answered(reply)
		return check(worker, field1, field2, native)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	return c.call(ctx, methodUnknown, c.kind.newEcho(hello), c.kind.echoReply())
}

// Close implements framework.Client.
func (c *client) Close() error {
	c.conns.Destroy()
	return nil
}
