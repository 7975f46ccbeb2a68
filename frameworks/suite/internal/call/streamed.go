package call

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/streams"
)

// prepareStreamed opens a stream for each worker. Messages are due on them by a schedule,
// and answered one by one: by their echo, or one way by the sum of what has arrived.
func prepareStreamed(oneWay bool) preparer {
	return func(ctx context.Context, c framework.Client, q Requests) (Job, error) {
		p, requests := &pace{list: make([]streams.Stream, q.Workers)}, q.Messages()
		if oneWay || q.Size < NumberSize {
			p.config.Matching = streams.InOrder
		}
		_, err := openAll(ctx, c, q, func(i int, s framework.EchoStream) error {
			e := &ends{p, s, i, framework.EchoMessage{Msg: bytes.Clone(requests[i].Msg)}, startOf(i, q.Size)}
			if p.list[i] = (&echoed{ends: e}); oneWay {
				p.list[i] = &summed{ends: e}
			}
			if err := p.list[i].Send(0); err != nil {
				return err
			}
			_, err := p.list[i].Recv()
			return err
		})
		if err != nil {
			return Job{}, err
		}
		p.load = sync.OnceValues(func() (*streams.Load, error) { return streams.New(p.config, p.list...) })
		return Job{Runs: p.run}, nil
	}
}

// pace makes runs over streams.
type pace struct {
	config streams.Config
	list   []streams.Stream
	load   func() (*streams.Load, error)   // of the list
	check  atomic.Pointer[func(int) error] // of the run; see loadgen.Config
}

// run implements loadgen.Runner. The load generator's own memory for the streams is
// allocated with the first run, when what the streams hold has been read.
func (p *pace) run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	l, err := p.load()
	if err != nil {
		return nil, err
	}
	check := cfg.Check
	p.check.Store(&check)
	cfg.Check = nil // which is for calls that a worker waits for
	return l.Runner()(ctx, cfg)
}

// judge is the end of every Recv whose answer belongs to a message.
func (p *pace) judge(stream int, wrong error) error {
	if wrong != nil {
		return streams.Wrong{Err: wrong}
	}
	if check := p.check.Load(); check != nil && *check != nil {
		return (*check)(stream)
	}
	return nil
}

// openAll opens a stream for each worker. On each first is called before the next is opened,
// to send a message and wait for its answer, since many frameworks open a stream with its
// first message only.
func openAll(ctx context.Context, c framework.Client, q Requests, first func(i int, s framework.EchoStream) error) ([]framework.EchoStream, error) {
	sc, err := As[framework.StreamClient](c)
	if err != nil {
		return nil, err
	}
	list := make([]framework.EchoStream, q.Workers)
	for i := range list {
		opened := make(chan error, 1)
		go func() {
			s, err := sc.OpenStream(ctx, i)
			if list[i] = s; err == nil {
				err = first(i, s)
			}
			opened <- err
		}()
		if err := within(opened, q.Patience); err != nil {
			return nil, fmt.Errorf("stream %d of %d: %w", i+1, q.Workers, err)
		}
	}
	return list, nil
}

// within returns the error that comes in time. What it waits for ends with the client.
func within(opened <-chan error, patience time.Duration) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case err := <-opened:
		return err
	case <-late.C:
		return fmt.Errorf("it was not opened and answered within %v: the framework or the server may allow no more", patience)
	}
}

// NumberSize is the room that the number of a message takes in its payload, in bytes.
const NumberSize = 8

// ends are both ends of a stream within this process.
type ends struct {
	*pace
	framework.EchoStream
	index   int
	message framework.EchoMessage
	next    stretch // of the answers
}

// number writes a message's number into the payload, if it has room.
func (e *ends) number(n uint64) {
	if len(e.message.Msg) >= NumberSize {
		binary.LittleEndian.PutUint64(e.message.Msg, n)
	}
}

var errStreamed = errors.New("stream: the message that came back is " + WhatWasSent)

// echoed is a stream whose messages come back.
type echoed struct{ *ends }

// Send implements streams.Stream.
func (e *echoed) Send(n uint64) error {
	e.number(n)
	e.message.Action = handler.ActionEcho
	return e.EchoStream.Send(e.message)
}

// Recv implements streams.Stream. The payload is compared without its number, which
// another goroutine may be changing.
func (e *echoed) Recv() (n uint64, err error) {
	m, err := e.EchoStream.Recv()
	if err != nil {
		return 0, err
	}
	from := 0
	if len(m.Msg) >= NumberSize {
		n, from = binary.LittleEndian.Uint64(m.Msg), NumberSize
	}
	return n, e.judge(e.index, e.compare(m, from))
}

// compare returns an error unless an answer is the message, from a byte of its payload on.
func (e *echoed) compare(m framework.EchoMessage, from int) error {
	same := len(m.Msg) == len(e.message.Msg) && m.Action == handler.ActionEcho
	if !same || !e.next.equal(m.Msg[from:], e.message.Msg[from:]) {
		return errStreamed
	}
	return nil
}

// summed is a stream of messages one way. After each the server is asked for the sum of
// what has arrived.
type summed struct {
	*ends
	mu   sync.Mutex
	sum  ask.Sum   // of what was sent
	owed []ask.Sum // that have not come back yet
}

// Send implements streams.Stream.
func (s *summed) Send(n uint64) error {
	s.number(n)
	s.message.Action = handler.ActionSink
	s.owe()
	if err := s.EchoStream.Send(s.message); err != nil {
		return err
	}
	return s.EchoStream.Send(framework.EchoMessage{Action: handler.ActionSum})
}

func (s *summed) owe() {
	s.sum.Add(s.message.Msg)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owed = append(s.owed, s.sum)
}

// Recv implements streams.Stream.
func (s *summed) Recv() (uint64, error) {
	m, err := s.EchoStream.Recv()
	if err != nil {
		return 0, err
	}
	return 0, s.judge(s.index, s.compare(m))
}

// compare returns an error unless an answer is the sum that is owed next.
func (s *summed) compare(m framework.EchoMessage) error {
	got, err := ask.DecodeSum(m.Action, m.Msg)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.owed) == 0 {
		return errors.New("stream: a sum came back that nobody asked for")
	}
	want := s.owed[0]
	if s.owed = s.owed[1:]; got != want {
		return errors.New("stream: the sum that came back is not of what was sent")
	}
	return nil
}
