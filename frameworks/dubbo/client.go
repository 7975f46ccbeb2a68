package dubbo

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	dubboclient "dubbo.apache.org/dubbo-go/v3/client"
	"dubbo.apache.org/dubbo-go/v3/common/constant"
	remoting "dubbo.apache.org/dubbo-go/v3/remoting/getty"

	"github.com/rpcbench/rpcbench/frameworks/dubbo/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

var (
	_ framework.MessageClient = (*client[EchoMessage, BenchMessage])(nil)
	_ framework.MessageClient = (*streamClient)(nil)
	_ framework.StreamClient  = (*streamClient)(nil)
)

const (
	dialTimeout = 10 * time.Second
	// callTimeout is the timeout of a call over Triple, whose default is 3 s. The
	// Dubbo protocol keeps the default. Only the timeout notices a lost connection
	// there, and dubbo-go keeps a timer for each call for that long and searches
	// them all.
	callTimeout = time.Minute
)

// settling is the time allowed to open a connection of the Dubbo protocol. dubbo-go
// opens connections one after the other, and does not report when they are open.
const settling = 20 * time.Millisecond

// closing is how long getty may take to close a connection of the Dubbo protocol. Its
// reader notices the end only after its read timeout, which is at least a second. Until
// then the connection would count as one of the next client.
const closing = 1200 * time.Millisecond

// client makes calls with native messages.
type client[E, B any] struct {
	kind    kind[E, B]
	largest int // the largest payload in bytes
	call    func(ctx context.Context, worker int, method string, req, reply any) error
	close   func()
}

// reference is dubbo-go's client of one service.
type reference struct {
	connection *dubboclient.Connection
	options    *dubboclient.ReferenceOptions
}

// refer makes a reference. It keeps the options, which hold what has to be closed.
func refer(protocol, addr string, info *dubboclient.ClientInfo, options ...dubboclient.ClientOption) (*reference, error) {
	c, err := dubboclient.NewClient(append(options,
		dubboclient.WithClientURL(protocol+"://"+addr+"/"+service),
		dubboclient.WithClientClusterFailFast(),
	)...)
	if err != nil {
		return nil, err
	}
	r := new(reference)
	r.connection, err = c.DialWithInfo(service, info, func(o *dubboclient.ReferenceOptions) { r.options = o })
	return r, err
}

func (r *reference) close() {
	if invoker := r.options.GetInvoker(); invoker != nil {
		invoker.Destroy()
		time.Sleep(closing)
	}
}

func clientInfo() *dubboclient.ClientInfo {
	return &dubboclient.ClientInfo{InterfaceName: service, MethodNames: []string{methodEcho, methodMessage, methodStream}}
}

// connecting guards the configuration of connections, which dubbo-go has for the whole
// process.
var connecting sync.Mutex

// dialDubbo makes a client whose connections dubbo-go chooses.
func dialDubbo(addr string, o framework.DialOptions) (framework.Client, error) {
	quiet()
	if err := probe(constant.DubboProtocol, addr, cmp.Or(o.Patience, dialTimeout)); err != nil {
		return nil, fmt.Errorf("dubbo: %w", err)
	}
	r, err := referDubbo(addr, o)
	if err != nil {
		return nil, err
	}
	c := &client[EchoMessage, BenchMessage]{
		kind:    pojos,
		largest: maxDubbo,
		close:   r.close,
		call: func(ctx context.Context, _ int, method string, req, reply any) error {
			return ending(ctx, func() error { return r.callUnary(ctx, method, req, reply) })
		},
	}
	return c, c.open(o)
}

// referDubbo makes a reference and waits until its connections are open.
func referDubbo(addr string, o framework.DialOptions) (*reference, error) {
	connecting.Lock()
	defer connecting.Unlock()
	config := remoting.GetDefaultClientConfig()
	config.ConnectionNum = o.Conns
	config.ReconnectInterval = 1 // ms between opening two connections; the default is 300
	remoting.SetClientConf(*config)
	r, err := refer(constant.DubboProtocol, addr, nil,
		dubboclient.WithClientProtocolDubbo(), dubboclient.WithClientSerialization(constant.Hessian2Serialization))
	if err == nil {
		time.Sleep(time.Duration(o.Conns) * settling)
	}
	return r, err
}

// callUnary makes a call. It turns dubbo-go's panics into errors: when a server has just been
// lost, a call may find no list of connections, or no connection that it could choose.
func (r *reference) callUnary(ctx context.Context, method string, req, reply any, options ...dubboclient.CallOption) (err error) {
	defer recovered(&err)
	return r.connection.CallUnary(ctx, []any{req}, reply, method, options...)
}

// recovered is deferred: it turns a panic into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("dubbo: panic: %v", p)
	}
}

// ending has a call end with its context. After an error the reply must not be read,
// because dubbo-go may still write it.
func ending(ctx context.Context, call func() error) error {
	if ctx.Done() == nil {
		return call()
	}
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// connections are shared by all workers.
type connections []*reference

// of returns the connection of a worker's next call.
func (c connections) of(worker int) *reference { return c[worker%len(c)] }

// tripleConnections are the connections to each server, which all clients with the same
// layers share.
var tripleConnections = map[tripleKey]connections{}

type tripleKey struct {
	addr, layers, authority string
	chain                   int
}

func keyOf(addr string, layers layer.Stack) tripleKey {
	k := tripleKey{addr: addr, layers: layers.String(), chain: layers.Chain}
	if c := layers.Certificates(); c != nil {
		k.authority = string(c.Authority)
	}
	return k
}

// dialTriple makes a reference for each connection, because a reference opens only one.
func dialTriple(addr string, layers layer.Stack, o framework.DialOptions) (framework.Client, error) {
	quiet()
	if err := probe(constant.TriProtocol, addr, cmp.Or(o.Patience, dialTimeout)); err != nil {
		return nil, fmt.Errorf("dubbo: %w", err)
	}
	conns, err := referTriple(addr, layers, o)
	if err != nil {
		return nil, err
	}
	c := &streamClient{conns: conns, under: under(layers)}
	c.closed, c.shut = context.WithCancel(context.Background())
	calls := layers.Metadata.Calls()
	c.client = &client[pb.EchoMessage, pb.BenchMessage]{
		kind:    protobufs,
		largest: MaxMessage,
		close:   c.shut,
		call: func(ctx context.Context, worker int, method string, req, reply any) error {
			if sent := calls.Next(); sent.Len() > 0 {
				return conns.of(worker).carried(c.under(ctx), method, req, reply, sent)
			}
			return conns.of(worker).callUnary(c.under(ctx), method, req, reply)
		},
	}
	return c, c.open(o)
}

func referTriple(addr string, layers layer.Stack, o framework.DialOptions) (connections, error) {
	connecting.Lock()
	defer connecting.Unlock()
	certificates, err := writeFiles(layers)
	defer certificates.remove()
	if err != nil {
		return nil, err
	}
	key := keyOf(addr, layers)
	for len(tripleConnections[key]) < o.Conns {
		r, err := refer(constant.TriProtocol, addr, clientInfo(), append(clientLayers(layers, certificates), dubboclient.WithClientProtocolTriple(),
			dubboclient.WithClientRequestTimeout(callTimeout),
			dubboclient.WithClientParam(constant.MaxCallRecvMsgSize, strconv.Itoa(maxPackage)),
			dubboclient.WithClientParam(constant.MaxCallSendMsgSize, strconv.Itoa(maxPackage)))...)
		if err != nil {
			return nil, err
		}
		tripleConnections[key] = append(tripleConnections[key], r)
	}
	return tripleConnections[key][:o.Conns], nil
}

// open makes a first call for each connection, because some open only with a call.
func (c *client[E, B]) open(o framework.DialOptions) error {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(o.Patience, dialTimeout))
	defer cancel()
	for worker := range o.Conns {
		if err := c.call(ctx, worker, methodEcho, c.kind.newEcho(framework.EchoMessage{}), new(E)); err != nil {
			c.close()
			return fmt.Errorf("dubbo: no answer to a first call: %w", err)
		}
	}
	return nil
}

// Echo implements framework.Client.
func (c *client[E, B]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	natives := framework.NewNatives(requests, c.kind.newEcho)
	return func(ctx context.Context, worker int) error {
		if n := len(requests[worker].Msg); n > c.largest { // dubbo-go itself would only report a timeout
			return fmt.Errorf("dubbo: %d bytes are more than the largest payload, %d", n, c.largest)
		}
		reply := new(E)
		if err := c.call(ctx, worker, methodEcho, natives.Of(worker), reply); err != nil {
			return err
		}
		return check(worker, c.kind.get(reply))
	}
}

// Message implements framework.MessageClient.
func (c *client[E, B]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	natives := message.NewRequests[B](workers)
	return func(ctx context.Context, worker int) error {
		reply := new(B)
		if err := c.call(ctx, worker, methodMessage, natives.Of(worker), reply); err != nil {
			return err
		}
		natives.Done(worker)
		field1, field2 := c.kind.answered(reply)
		return check(worker, field1, field2, reply)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, B]) CallUnknown(ctx context.Context) error {
	return c.call(ctx, 0, methodUnknown, c.kind.newEcho(framework.EchoMessage{}), new(E))
}

// Close implements framework.Client.
func (c *client[E, B]) Close() error {
	c.close()
	return nil
}
