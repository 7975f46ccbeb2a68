package tester

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Bounded tests in parts that end, whatever is tested. A part in which nothing happens for the
// time patience fails with what it waits in, and its goroutine is left behind: no later part
// of the test is begun. Beginnings and ends of parts within a part are what happens.
func Bounded(t T, patience time.Duration, test func(T)) {
	bound(t, patience, "the test", new(atomic.Bool), test)
}

func bound(t T, patience time.Duration, name string, stuck *atomic.Bool, test func(T)) {
	p := &part{T: t, patience: patience, name: name, stuck: stuck, happened: make(chan struct{}, 1)}
	p.wait(name, func() { test(p) })
}

// part is the T of a part. When the part has been given up, it ends each goroutine that uses
// it: package testing panics if a test that has ended is used.
type part struct {
	T
	patience time.Duration
	name     string
	stuck    *atomic.Bool  // a part of the test has been given up
	happened chan struct{} // has room for one

	mu     sync.Mutex
	within int  // parts of this part that run, or wait for others
	left   bool // this part has been given up
}

// wait does something for as long as patience lets it.
func (p *part) wait(what string, do func()) {
	t, done, id := p.T, make(chan struct{}), make(chan []byte, 1)
	t.Helper()
	go func() {
		defer close(done)
		id <- goroutine()
		do()
	}()
	self := <-id
	for {
		select {
		case <-done:
			return
		case <-p.happened:
		case <-time.After(p.patience):
			if p.giveUp() {
				t.Errorf("%s did not end within %v; it waits in\n%s", what, p.patience, stackOf(self))
				return
			}
		}
	}
}

// giveUp reports whether the part is given up: none of its own parts runs.
func (p *part) giveUp() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = p.within == 0
	if p.left {
		p.stuck.Store(true)
	}
	return p.left
}

// enter and leave surround what has a bound of its own.
func (p *part) enter() { p.count(1) }
func (p *part) leave() { p.count(-1) }

func (p *part) count(n int) {
	p.use(func() { p.within += n })
	select {
	case p.happened <- struct{}{}:
	default:
	}
}

// use does something with the part, unless it has been given up.
func (p *part) use(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left {
		runtime.Goexit()
	}
	do()
}

// Run is testing.T.Run. After a part that was given up, none is begun.
func (p *part) Run(name string, test func(T)) bool {
	if p.stuck.Load() {
		return false
	}
	p.enter()
	defer p.leave()
	return p.T.Run(name, func(t T) { bound(t, p.patience, "part "+name, p.stuck, test) })
}

// Parallel is testing.T.Parallel, which waits for other tests.
func (p *part) Parallel() {
	p.enter()
	defer p.leave()
	p.T.Parallel()
}

// Cleanup is testing.T.Cleanup. After a part was given up, nobody waits for the others'
// clean-ups.
func (p *part) Cleanup(clean func()) {
	p.use(func() {
		p.T.Cleanup(func() {
			if p.stuck.Load() {
				go clean()
				return
			}
			after := &part{T: p.T, patience: p.patience, stuck: p.stuck}
			after.wait("what follows "+p.name, clean)
		})
	})
}

// Errorf is testing.T.Errorf.
func (p *part) Errorf(format string, args ...any) {
	p.Helper()
	p.use(func() { p.T.Errorf(format, args...) })
}

// FailNow is testing.T.FailNow.
func (p *part) FailNow() { p.use(p.T.FailNow) }

// Fatal is testing.T.Fatal.
func (p *part) Fatal(args ...any) {
	p.Helper()
	p.use(func() { p.T.Fatal(args...) })
}

// Logf is testing.T.Logf.
func (p *part) Logf(format string, args ...any) {
	p.Helper()
	p.use(func() { p.T.Logf(format, args...) })
}

// Skip is testing.T.Skip.
func (p *part) Skip(args ...any) {
	p.Helper()
	p.use(func() { p.T.Skip(args...) })
}

// Context is testing.T.Context.
func (p *part) Context() context.Context { return p.T.Context() }

// goroutine returns how a stack of this goroutine begins, up to its state.
func goroutine() []byte {
	line := make([]byte, 64)
	line = line[:runtime.Stack(line, false)]
	before, _, _ := bytes.Cut(line, []byte("["))
	return bytes.Clone(before)
}

// mostStacks bounds the text of all stacks in bytes, and mostStack that of one.
const mostStacks, mostStack = 4 << 20, 4 << 10

// stackOf returns the stack of a goroutine.
func stackOf(id []byte) string {
	all := make([]byte, mostStacks)
	all = all[:runtime.Stack(all, true)]
	for one := range bytes.SplitSeq(all, []byte("\n\n")) {
		if bytes.HasPrefix(one, id) {
			return string(one[:min(len(one), mostStack)])
		}
	}
	return fmt.Sprintf("%s, whose stack is not among the first %d bytes of all", id, mostStacks)
}
