package suite

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/loadgen"
)

// tiny is a framework for the tests: gob frames, one call at a time on each
// connection. Its faults are what the suite must notice.
type tiny struct {
	name   string
	limit  int
	own    time.Duration          // in which it ends calls, whatever their context says; 0 for none
	handle func(*tinyFrame) error // after the honest handler
	hand   func(c *tinyConn, request, reply framework.EchoMessage, check func(framework.EchoMessage) error) error
	leaves bool // connections open in Close
	fewer  bool // fields in its bench message
	lasts  bool // a request, as long as its memory does
	bare   bool // hides all methods but Echo and Close
	keeps  int  // bytes for each connection on the server, and twice as many on the client

	slow  time.Duration // in which it dials; the first call of a connection takes twice as long
	once  bool          // it does not open a connection again
	lost  string        // where its connections go instead, see strays
	sulks int           // calls that fail on a connection that was opened again
	hogs  time.Duration // for which a large call keeps its connection

	wraps bool // it has layers
	lies  string
	stack layer.Stack
}

type tinyFrame struct {
	Method, Action, Error string
	Msg                   []byte
	Bench                 message.Bench
	Metadata              map[string]string
}

// tinyVariants: one that is right, and those that are not.
func tinyVariants() []framework.Variant {
	var calls int
	var before []byte // the payload of the call before
	list := []tiny{
		{name: "tiny", wraps: true},
		{name: "small", limit: 1 << 10},
		{name: "mixed", handle: func(f *tinyFrame) error { f.Msg = append([]byte("x"), f.Msg...)[:len(f.Msg)]; return nil }},
		{name: "deaf", handle: func(f *tinyFrame) error { f.Error = ""; return nil }},
		{name: "flaky", handle: func(f *tinyFrame) error {
			if calls++; calls > 500 && calls%50 == 0 {
				f.Error = "flaky"
			}
			return nil
		}},
		{name: "stale", handle: func(f *tinyFrame) error {
			late := before
			if before = bytes.Clone(f.Msg); f.Method == "echo" && len(late) == len(f.Msg) {
				if calls++; calls > 500 && calls%50 == 0 {
					f.Msg = late
				}
			}
			return nil
		}},
		{name: "stuck", handle: func(f *tinyFrame) error {
			if calls++; calls > 200 {
				time.Sleep(time.Hour)
			}
			return nil
		}},
		{name: "mortal", handle: func(f *tinyFrame) error {
			if calls++; calls > 500 {
				fmt.Println("the last words")
				os.Exit(3)
			}
			return nil
		}},
		{name: "yours"},
		{name: "vain"},
		{name: "shy"},
		{name: "pooled", hand: func(c *tinyConn, _, reply framework.EchoMessage, check func(framework.EchoMessage) error) error {
			c.Lock()
			c.pool = append(c.pool[:0], reply.Msg...)
			c.Unlock()
			return check(framework.EchoMessage{Action: reply.Action, Msg: c.pool})
		}},
		{name: "mute", hand: func(*tinyConn, framework.EchoMessage, framework.EchoMessage, func(framework.EchoMessage) error) error {
			return nil
		}},
		{name: "mirror", hand: func(_ *tinyConn, request, _ framework.EchoMessage, check func(framework.EchoMessage) error) error {
			return check(request)
		}},
		{name: "copycat", hand: checkCopy},
		{name: "bare", bare: true},
		{name: "barecat", bare: true, hand: checkCopy},
		{name: "patient", own: 10 * time.Second},
		{name: "hasty", own: 2900 * time.Millisecond},
		{name: "leaver", leaves: true},
		{name: "fewer", fewer: true},
		{name: "lasting", lasts: true},
		{name: "keeper", keeps: 4 << 10},
		{name: "slow", slow: 10 * time.Millisecond},
		{name: "once", once: true},
		{name: "sulky", sulks: 200},
		{name: "hog", hogs: 20 * time.Millisecond},
		{name: "unveiled", wraps: true, lies: bareTLS},
		{name: "trusting", wraps: true, lies: trusting},
		{name: "heavy", wraps: true, lies: bareGzip},
		{name: "untraced", wraps: true, lies: untraced},
		{name: "spanless", wraps: true, lies: spanless},
		{name: "forgetful", wraps: true, lies: forgets},
	}
	variants := make([]framework.Variant, len(list))
	for i, t := range list {
		variants[i] = t.variant()
	}
	variants = append(append(variants, twins()...), crew())
	variants = append(append(variants, spenders()...), strays()...)
	for i, v := range variants {
		variants[i].Async = v.Async || v.Framework == "vain" // which its client is not
		if v.Framework == "hasty" {                          // and says so
			variants[i].CallLimit = 3 * time.Second
		}
		if v.Framework == "shy" { // of what its client is
			variants[i].Kind = framework.Bytes
		}
		if strings.HasPrefix(v.Framework, "bare") {
			variants[i].Kind = framework.Bare
		}
	}
	return variants
}

func (t tiny) variant() framework.Variant {
	v := framework.Variant{
		Keys: framework.Keys{Framework: t.name, Transport: "tcp", Codec: "gob"}, Limits: framework.Limits{MaxMessage: t.limit}, Recommended: t.name == "tiny" || t.name == "small",
		StandIn: t.name == "yours", Modules: []string{"example.com/tiny/v2"}, Serve: t.serve, Dial: t.dial,
		Unknown: framework.Says("no such method"), Connections: framework.Connections{Unix: t.name == "tiny"},
	}
	if t.wraps {
		v.Layers = t.layers()
	}
	return v
}

// checkCopy hands out the request instead of the reply.
func checkCopy(_ *tinyConn, request, _ framework.EchoMessage, check func(framework.EchoMessage) error) error {
	return check(framework.EchoMessage{Action: request.Action, Msg: bytes.Clone(request.Msg)})
}

// tinyReferences does not report the handler's errors.
func tinyReferences() []framework.Variant {
	t := tiny{name: "floor", handle: func(f *tinyFrame) error { f.Error = ""; return nil }}
	return []framework.Variant{{Keys: framework.Keys{Framework: t.name, Transport: "tcp", Codec: "gob"}, Rank: framework.Reference, Serve: t.serve, Dial: t.dial}}
}

// crew is a variant whose pool has any number of workers but 13.
func crew() framework.Variant {
	t := tiny{name: "crew"}
	return framework.Variant{
		Keys: framework.Keys{Framework: t.name, Transport: "tcp", Codec: "gob", Pool: "workers"}, Serve: t.serve, Dial: t.dial,
		ServePool: func(addr string, workers int) (framework.Server, error) {
			if workers == 13 {
				return nil, errors.New("it has no pool of 13")
			}
			return t.serve(addr)
		},
	}
}

// twins are two variants whose keys begin alike: those of the first go on.
func twins() []framework.Variant {
	t := tiny{name: "twin", hogs: 10 * time.Millisecond}
	plain := framework.Variant{Keys: framework.Keys{Framework: t.name, Transport: "tcp", Codec: "gob"}, Serve: t.serve, Dial: t.dial}
	tuned := plain
	tuned.Profile = "tuned"
	return []framework.Variant{tuned, plain}
}

type tinyServer struct{ net.Listener }

func (s tinyServer) Addr() string { return s.Listener.Addr().String() }

func (t tiny) serve(addr string) (framework.Server, error) {
	var mu sync.Mutex             // the faults count calls
	secure := t.stack.ServerTLS() // one for all connections: sessions of one are resumed by others
	return serveTiny(addr, func(conn net.Conn) { t.serveConn(t.serverConn(conn, secure), &mu) })
}

// serveTiny handles each connection in a goroutine of its own and closes it.
func serveTiny(addr string, handle func(net.Conn)) (framework.Server, error) {
	l, err := net.Listen(address.Network(addr), addr)
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				handle(conn)
			}()
		}
	}()
	return tinyServer{l}, nil
}

func (t tiny) serveConn(conn net.Conn, mu *sync.Mutex) {
	kept := resident(t.keeps)
	defer runtime.KeepAlive(kept)
	in, out := gob.NewDecoder(conn), gob.NewEncoder(conn)
	for first := true; ; first = false {
		var f tinyFrame
		if in.Decode(&f) != nil {
			return
		}
		if first {
			time.Sleep(2 * t.slow)
		}
		if len(f.Msg) >= 64<<10 {
			time.Sleep(t.hogs)
		}
		mu.Lock()
		t.answer(&f)
		mu.Unlock()
		if out.Encode(f) != nil {
			return
		}
	}
}

func (t tiny) answer(f *tinyFrame) {
	_ = t.intercepted(untraced, func() error { t.handled(f); return nil })
}

func (t tiny) handled(f *tinyFrame) {
	t.span("server")
	t.spoil(f)
	switch f.Method {
	case "echo":
		reply, err := handler.Echo(f.Action, f.Msg)
		if err != nil {
			f.Error = err.Error()
		}
		f.Msg = reply
	case "message":
		f.Bench.Field1, f.Bench.Field2 = message.AnswerField1, message.AnswerField2
	default:
		f.Error = "no such method"
	}
	if t.handle != nil {
		t.handle(f)
	}
}

type tinyClient struct {
	tiny
	options framework.DialOptions
	addr    string
	conns   []*tinyConn
	calls   *metadata.Calls // nil: calls carry none
}

type tinyConn struct {
	sync.Mutex
	pool []byte // which a faulty client hands out
	conn net.Conn
	open atomic.Value // conn, for who does not wait for the calls
	in   *gob.Decoder
	out  *gob.Encoder
	sulk int // calls that fail
}

func (t tiny) dial(addr string, o framework.DialOptions) (framework.Client, error) {
	time.Sleep(t.slow)
	addr, o = t.stray(addr, o)
	c := &tinyClient{tiny: t, options: o, addr: addr, conns: make([]*tinyConn, o.Conns), calls: t.carried()}
	for i := range c.conns {
		c.conns[i] = &tinyConn{pool: resident(2 * t.keeps)}
		if err := c.conns[i].reopen(context.Background(), c); err != nil {
			return nil, err
		}
	}
	if t.bare {
		return struct{ framework.Client }{c}, nil
	}
	return c, nil
}

func (c *tinyConn) reopen(ctx context.Context, of *tinyClient) (err error) {
	if c.conn == nil {
		if c.conn, err = new(net.Dialer).DialContext(ctx, address.Network(of.addr), of.addr); err == nil {
			c.conn = of.clientConn(c.conn, of.options)
			c.open.Store(c.conn)
			c.in, c.out = gob.NewDecoder(c.conn), gob.NewEncoder(c.conn)
		} else {
			c.conn = nil
		}
	}
	return err
}

// again opens a connection that was lost.
func (c *tinyClient) again(ctx context.Context, conn *tinyConn) error {
	switch {
	case conn.conn == nil && c.once:
		return errors.New("the connection was lost")
	case conn.conn == nil:
		conn.sulk = c.sulks
	}
	if err := conn.reopen(ctx, c); err != nil {
		return err
	}
	if conn.sulk > 0 {
		conn.sulk--
		return errors.New("not yet")
	}
	return nil
}

func (c *tinyClient) call(ctx context.Context, worker int, request tinyFrame) (reply tinyFrame, err error) {
	if c.calls == nil {
		return c.send(ctx, worker, request)
	}
	sent := c.calls.Next()
	request.Metadata = sent.Map()
	if reply, err = c.send(ctx, worker, request); err == nil {
		err = sent.Same(reply.Metadata)
	}
	return reply, err
}

func (c *tinyClient) send(ctx context.Context, worker int, request tinyFrame) (reply tinyFrame, err error) {
	err = c.intercepted(spanless, func() (err error) {
		reply, err = c.pass(ctx, worker, request)
		return err
	})
	return reply, err
}

func (c *tinyClient) pass(ctx context.Context, worker int, request tinyFrame) (reply tinyFrame, err error) {
	if c.limit > 0 && len(request.Msg) > c.limit {
		return reply, fmt.Errorf("over the limit of %d bytes", c.limit)
	}
	c.span("client")
	conn := c.conns[worker%len(c.conns)]
	conn.Lock()
	defer conn.Unlock()
	if err := c.again(ctx, conn); err != nil {
		return reply, err
	}
	deadline, _ := ctx.Deadline()
	if c.own > 0 {
		deadline = time.Now().Add(c.own)
	}
	conn.conn.SetDeadline(deadline)
	if err = conn.out.Encode(request); err == nil {
		err = conn.in.Decode(&reply)
	}
	if err != nil {
		conn.conn.Close()
		conn.conn = nil
	} else if reply.Error != "" {
		err = errors.New(reply.Error)
	}
	return reply, err
}

func (c *tinyClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	made := slices.Clone(requests)
	return func(ctx context.Context, worker int) error {
		r := requests[worker]
		if c.lasts && unsafe.SliceData(r.Msg) == unsafe.SliceData(made[worker].Msg) {
			r = made[worker] // of the length with which it was made
		}
		reply, err := c.call(ctx, worker, tinyFrame{Method: "echo", Action: r.Action, Msg: r.Msg})
		if err != nil {
			return err
		}
		got := framework.EchoMessage{Action: reply.Action, Msg: reply.Msg}
		if c.hand != nil {
			return c.hand(c.conns[worker%len(c.conns)], r, got, func(m framework.EchoMessage) error { return check(worker, m) })
		}
		return check(worker, got)
	}
}

func (c *tinyClient) Message(workers int, check framework.MessageCheck) loadgen.Call {
	requests := message.NewRequests[message.Bench](workers)
	return func(ctx context.Context, worker int) error {
		reply, err := c.call(ctx, worker, tinyFrame{Method: "message", Bench: *requests.Of(worker)})
		if err != nil {
			return err
		}
		requests.Done(worker)
		if b := reply.Bench; c.fewer {
			return check(worker, b.Field1, b.Field2, &fewerFields{b.Field1, b.Field2, b.Field3, b.Field4, b.Field6})
		}
		return check(worker, reply.Bench.Field1, reply.Bench.Field2, &reply.Bench)
	}
}

// fewerFields is a bench message of 5 of the 40 fields.
type fewerFields struct {
	Field1         string
	Field2, Field3 int32
	Field4         *string
	Field6         *int32
}

func (c *tinyClient) CallUnknown(ctx context.Context) error {
	_, err := c.call(ctx, 0, tinyFrame{Method: "unknown"})
	return err
}

func (c *tinyClient) Close() error {
	if c.leaves {
		return nil
	}
	for _, conn := range c.conns {
		if open, ok := conn.open.Load().(net.Conn); ok {
			open.Close()
		}
	}
	return nil
}
