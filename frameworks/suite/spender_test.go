package suite

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// spender is a framework for tests of the figures: what a call takes is known on both
// sides, and its own part in it is small.
type spender struct {
	conns          func(asked int) int // that it opens
	client, server cost
	nap            func(call int64) time.Duration // of the server, with each call
	pace           time.Duration                  // in which the server answers one call; 0 for at once
	fails          int64                          // of n calls one; 0 for none
}

// cost is what a side spends on each call, and what it holds all the time.
type cost struct {
	cpu           time.Duration
	objects, size int
	holds         int // bytes
}

// The spenders. No two numbers are the same, so that no figure passes for another.
func spendersByName() map[string]spender {
	doubled := func(asked int) int { return 2 * asked }
	onceMore := func(asked int) int { return asked + 1 }
	return map[string]spender{
		"spend": {
			conns:  func(asked int) int { return asked },
			client: cost{cpu: 400 * time.Microsecond, objects: 7, size: 1 << 10}, server: cost{cpu: 500 * time.Microsecond, objects: 11, size: 128},
		},
		"hold": {conns: doubled, client: cost{objects: 5, size: 32, holds: 64 << 20}, server: cost{objects: 9, size: 256, holds: 96 << 20}},
		"nap": {conns: onceMore, nap: func(call int64) time.Duration {
			switch n := call % 1000; {
			case n < 3:
				return 200 * time.Millisecond
			case n < 30:
				return 60 * time.Millisecond
			}
			return time.Millisecond
		}},
		"pace": {conns: onceMore, pace: 2 * time.Millisecond},
		"fail": {conns: onceMore, fails: 10},
	}
}

// spenders are variants of spendersByName. None is ranked: most open other connections than
// they are asked for, which conns must tell, and which would fail a ranked row.
func spenders() (list []framework.Variant) {
	for _, name := range []string{"spend", "hold", "nap", "pace", "fail"} {
		s := spendersByName()[name]
		v := framework.Variant{
			Keys: framework.Keys{Framework: name, Transport: "tcp", Codec: "bytes"}, Rank: framework.Ours, Abilities: framework.Abilities{Async: true, Streams: true}, Serve: s.serve, Dial: s.dial,
		}
		switch name {
		case "spend":
			v.Conns = 3
		case "hold":
			v.Profile = "kept" // Bulk measures the bytes of a variant that stands for its framework, or has a profile
		}
		list = append(list, v)
	}
	return list
}

// spin is how many turns of a loop spend takes between two looks at the clock: about 30 µs.
const spin = 100_000

// spend takes the CPU and the memory of a call. sink is where the memory is seen last.
func (c cost) spend(sink *[]byte) {
	for range c.objects {
		*sink = make([]byte, c.size)
	}
	if c.cpu == 0 {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for end := threadCPU() + c.cpu; threadCPU() < end; {
		for range spin { // each look at the clock is a system call, which -detail traces
		}
	}
}

// hold returns memory that is resident. More was so before, which is no part of the peak
// of a run.
func (c cost) hold() []byte {
	if c.holds == 0 {
		return nil
	}
	resident(3 * c.holds)
	debug.FreeOSMemory()
	return resident(c.holds)
}

func resident(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	return b
}

// spenderConn is one end of a connection. A message on it is a byte each for success and the
// length of the action, the length of the payload in 4 bytes, and both.
type spenderConn struct {
	net.Conn
	mu     sync.Mutex
	in     *bufio.Reader
	head   [6]byte
	action string // of the last message, so that equal ones take no memory
	out    []byte
	sink   []byte
}

func newSpenderConn(c net.Conn) *spenderConn {
	return &spenderConn{Conn: c, in: bufio.NewReaderSize(c, 4<<10)}
}

func (c *spenderConn) write(failed byte, m framework.EchoMessage) error {
	c.out = append(c.out[:0], failed, byte(len(m.Action)))
	c.out = binary.BigEndian.AppendUint32(c.out, uint32(len(m.Msg)))
	c.out = append(append(c.out, m.Action...), m.Msg...)
	_, err := c.Conn.Write(c.out)
	return err
}

// read reads a message into memory that room returns.
func (c *spenderConn) read(room func(n int) []byte) (m framework.EchoMessage, err error) {
	if _, err := io.ReadFull(c.in, c.head[:]); err != nil {
		return m, err
	}
	action, err := c.in.Peek(int(c.head[1]))
	if err != nil {
		return m, err
	}
	if string(action) != c.action {
		c.action = string(action)
	}
	c.in.Discard(len(action))
	m = framework.EchoMessage{Action: c.action, Msg: room(int(binary.BigEndian.Uint32(c.head[2:])))}
	if _, err = io.ReadFull(c.in, m.Msg); err == nil && c.head[0] != 0 {
		err = errors.New("spender: asked to fail")
	}
	return m, err
}

// grown returns n bytes of b, or of a longer one that takes its place.
func grown(b *[]byte, n int) []byte {
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	return (*b)[:n]
}

func (s spender) serve(addr string) (framework.Server, error) {
	held := s.server.hold()
	var calls atomic.Int64
	var pace pacer
	return serveTiny(addr, func(conn net.Conn) {
		defer runtime.KeepAlive(held)
		c := newSpenderConn(conn)
		var h handler.Stream
		defer h.End()
		var memory []byte
		var failed byte
		var lost error
		answer := func(m framework.EchoMessage) error { // once, since handlers are to allocate nothing
			lost = c.write(failed, m)
			return lost
		}
		for {
			m, err := c.read(func(n int) []byte { return grown(&memory, n) })
			if err != nil {
				return
			}
			call := calls.Add(1)
			s.server.spend(&c.sink)
			if s.nap != nil {
				time.Sleep(s.nap(call))
			}
			pace.wait(s.pace)
			failed, lost = 0, nil
			if s.fails > 0 && call%s.fails == 0 {
				failed = 1
			}
			err = h.Handle(m, answer)
			if lost == nil && err != nil {
				lost = c.write(1, framework.EchoMessage{})
			}
			if lost != nil {
				return
			}
		}
	})
}

// pacer lets one call end in each pace.
type pacer struct {
	mu   sync.Mutex
	last time.Time
}

func (p *pacer) wait(pace time.Duration) {
	if pace == 0 {
		return
	}
	p.mu.Lock()
	now := time.Now()
	if p.last.Before(now) {
		p.last = now
	}
	p.last = p.last.Add(pace)
	until := p.last
	p.mu.Unlock()
	time.Sleep(until.Sub(now))
}

type spenderClient struct {
	spender
	addr  string
	held  []byte
	conns []*spenderConn
}

func (s spender) dial(addr string, o framework.DialOptions) (framework.Client, error) {
	c := &spenderClient{spender: s, addr: addr, held: s.client.hold()}
	for range s.conns(o.Conns) {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.conns = append(c.conns, newSpenderConn(conn))
	}
	return c, nil
}

// call makes a call by the worker's connection. Its reply is in memory.
func (c *spenderClient) call(worker int, m framework.EchoMessage, memory *[]byte) (reply framework.EchoMessage, err error) {
	conn := c.conns[worker%len(c.conns)]
	conn.mu.Lock()
	defer conn.mu.Unlock()
	if err := conn.write(0, m); err != nil {
		return reply, err
	}
	reply, err = conn.read(func(n int) []byte { return grown(memory, n) })
	c.client.spend(&conn.sink)
	return reply, err
}

// Echo implements framework.Client.
func (c *spenderClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	memory := make([][]byte, len(requests))
	return func(_ context.Context, worker int) error {
		reply, err := c.call(worker, requests[worker], &memory[worker])
		if err != nil {
			return err
		}
		return check(worker, reply)
	}
}

// EchoAsync implements framework.AsyncClient.
func (c *spenderClient) EchoAsync(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.AsyncCall {
	call := c.Echo(requests, check)
	return func(ctx context.Context, worker int, done func(error)) {
		go func() { done(call(ctx, worker)) }()
	}
}

// Message implements framework.MessageClient. It sends as many bytes as others do, and
// allocates the struct of the reply.
func (c *spenderClient) Message(workers int, check framework.MessageCheck) loadgen.Call {
	answer := message.Filled[message.Bench](1)[0]
	answer.Field1, answer.Field2 = message.AnswerField1, message.AnswerField2
	request := framework.EchoMessage{Msg: bytes.Repeat([]byte{1}, 581)}
	memory, numbers := make([][]byte, workers), message.NewRequests[message.Bench](workers)
	return func(_ context.Context, worker int) error {
		number := numbers.Of(worker).Field22
		numbers.Done(worker)
		if _, err := c.call(worker, request, &memory[worker]); err != nil {
			return err
		}
		reply := *answer
		reply.Field22 = number
		return check(worker, reply.Field1, reply.Field2, &reply)
	}
}

// CallUnknown implements framework.MethodClient.
func (c *spenderClient) CallUnknown(context.Context) error { return errors.New("unknown") }

// Close implements framework.Client.
func (c *spenderClient) Close() (err error) {
	for _, conn := range c.conns {
		err = errors.Join(err, conn.Conn.Close())
	}
	return err
}

// OpenStream implements framework.StreamClient. A stream has a connection of its own.
func (c *spenderClient) OpenStream(ctx context.Context, _ int) (framework.EchoStream, error) {
	conn, err := net.Dial("tcp", c.addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	return &spenderStream{newSpenderConn(conn), c.client}, nil
}

type spenderStream struct {
	*spenderConn
	cost cost
}

// Send implements framework.EchoStream.
func (s *spenderStream) Send(m framework.EchoMessage) error { return s.write(0, m) }

// Recv implements framework.EchoStream.
func (s *spenderStream) Recv() (framework.EchoMessage, error) {
	m, err := s.read(func(n int) []byte { return make([]byte, n) })
	s.cost.spend(&s.sink)
	return m, err
}

// CloseSend implements framework.EchoStream.
func (s *spenderStream) CloseSend() error { return s.Conn.(*net.TCPConn).CloseWrite() }
