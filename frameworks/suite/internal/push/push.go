// Package push makes load of messages that a server sends by itself: the many messages that
// it answers a request by, and what it passes on from one publisher to all subscribers.
//
// A push is what one request, or one publication, makes the server send. Each message of it
// counts as a call of the run. Its response runs to when it was received, in an open loop
// from when its push was due, in a closed one from when the push was asked for. The Parts of
// a Result are the first message of each push to be received, and the last.
package push

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// MostMessages is how many messages a push can have, and how many Subscribers there can be.
const MostMessages = 1<<receiverBits - 1

// Config says what is pushed.
type Config struct {
	// Messages is how many messages a push has, from 1 to MostMessages. For publications it is
	// the number of Subscribers.
	Messages int
	// Action asks for a push of n messages, from 1 to Messages.
	Action func(n int) string
	// Equal compares the Msg of a message, from behind its number on, with what was sent.
	// receiver counts those that receive, from 0.
	Equal func(receiver int, got, want []byte) bool
}

// Source is where pushes are asked for.
type Source struct {
	Stream framework.EchoStream
	Msg    []byte // of requests, which belongs to the source from now on
	// Subscribers receive the pushes, in the order in which they have subscribed. With none
	// the Stream does.
	Subscribers []framework.EchoStream
}

// Load makes runs of pushes, one at a time. Its streams live over any number of runs. A
// message that is lost, doubled or out of its order, and the end of a stream, fail all
// messages that are still to come, of this run and all others.
type Load struct {
	Config
	lanes []*lane
	ins   []*in // of all lanes

	mu     sync.Mutex
	broken error         // why no more can come; nil while it can
	ended  chan struct{} // closed with it
	run    *run          // nil between runs
	runs   uint64        // until now

	latest *push // that Accept took last
}

// New returns a Load and begins to receive. Close the streams to end its goroutines.
func New(cfg Config, sources ...Source) *Load {
	l := &Load{Config: cfg, ended: make(chan struct{})}
	for i, s := range sources {
		a := &lane{load: l, index: i, stream: s.Stream, msg: s.Msg, done: make(chan struct{}, 1)}
		l.lanes = append(l.lanes, a)
		if len(s.Subscribers) == 0 {
			l.receive(a, s.Stream, 0)
			continue
		}
		a.fans = true
		for j, sub := range s.Subscribers {
			l.receive(a, sub, j)
		}
		go a.watch()
	}
	return l
}

func (l *Load) receive(a *lane, s framework.EchoStream, index int) {
	i := &in{lane: a, stream: s, index: index, number: len(l.ins)}
	l.ins = append(l.ins, i)
	go i.receive()
}

// Run makes the messages of a run, as cfg says: a loadgen.Runner. Calls counts messages, and
// the last push is only of those that are left. The Schedule is of pushes, and
// of a closed loop each source asks for its next push when it has the last. Workers is not
// used, and Timeout neither.
func (l *Load) Run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	cfg.Check, cfg.Timeout = nil, 0
	r := newRun(l, cfg)
	cfg.Calls = (cfg.Calls + int64(l.Messages) - 1) / int64(l.Messages)
	for _, a := range l.lanes {
		a.makeRoom(len(l.lanes))
	}
	if cfg.Schedule != loadgen.ClosedLoop {
		cfg.Workers = len(l.lanes) + spareWorkers
		res, err := loadgen.RunCarrier(ctx, cfg, &courier{Load: l, r: r})
		if res != nil {
			r.addParts(res)
		}
		return res, err
	}
	cfg.Workers = len(l.lanes)
	l.begin(r)
	res, err := loadgen.Run(ctx, cfg, func(ctx context.Context, worker int) error { return l.lanes[worker].call(ctx, r) })
	l.finish(r, func(p *push, n int) { r.fail(errUnanswered, p, n, r.now()) })
	if r.unfinished {
		l.end(errUnanswered) // callers of this run may be left
	}
	if res != nil {
		res = r.result(res)
	}
	return res, err
}

// spareWorkers wait for due times while a worker for each source is held up.
const spareWorkers = 2

var errUnanswered = errors.New("stream: not received before the end of the run")

// Call asks for a push and waits for it, outside a run. There may be fewer sources than
// workers.
func (l *Load) Call(ctx context.Context, worker int) error {
	if worker >= len(l.lanes) {
		return nil
	}
	l.lanes[worker].makeRoom(len(l.lanes))
	return l.lanes[worker].call(ctx, nil)
}

// begin makes r the run that messages count in.
func (l *Load) begin(r *run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs++
	r.id = l.runs
	l.run = r
	for _, i := range l.ins {
		i.join(r)
	}
}

// finish has no more messages count in r, and tells how many of each push did not come.
func (l *Load) finish(r *run, missing func(p *push, n int)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.close(r, missing)
	l.run = nil
}

// close is finish for who holds the lock.
func (l *Load) close(r *run, missing func(p *push, n int)) {
	for _, i := range l.ins {
		i.join(nil)
	}
	for _, a := range l.lanes {
		for p := range a.open(r) {
			r.unfinished = true
			missing(p, p.uncounted())
			p.run = 0
		}
	}
	r.open.Store(0)
}

// end fails all that is under way, and all that follows.
func (l *Load) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return
	}
	l.broken = err
	close(l.ended)
	if r := l.run; r != nil {
		l.close(r, func(p *push, n int) { r.fail(err, p, n, r.now()) })
	}
}

// push is one push. Its slot is used again when all have received it.
type push struct {
	word     atomic.Uint64 // its number of all of the lane, and to how many receivers it goes
	number   uint64        // of its first message
	messages int           // of all receivers
	run      uint64        // 0 if it does not count any more
	due      time.Duration
	sent     atomic.Int64 // ns
	seen     atomic.Int64 // messages that were counted
	left     atomic.Int64 // messages still to be received
	waited   bool         // for, by a caller
}

// receiverBits is how many bits the number of receivers takes in the word of a push.
const receiverBits = 20

func wordOf(seq uint64, receivers int) uint64 { return seq<<receiverBits | uint64(receivers) }

// uncounted is how many of the messages were not counted.
func (p *push) uncounted() int { return p.messages - int(p.seen.Load()) }

// cancel makes a push that is not sent one that nobody receives.
func (p *push) cancel() {
	p.word.Store(wordOf(p.word.Load()>>receiverBits, 0))
	p.left.Store(0)
	p.run = 0
}

// goesTo reports whether a slot has the push of this number, and a receiver gets it.
func (p *push) goesTo(seq uint64, receiver int) bool {
	w := p.word.Load()
	return w>>receiverBits == seq<<receiverBits>>receiverBits && receiver < int(w&(1<<receiverBits-1))
}

func unasked(m framework.EchoMessage) error {
	return fmt.Errorf("stream: a message came that nobody asked for, %.64q with %d bytes", m.Action, len(m.Msg))
}
