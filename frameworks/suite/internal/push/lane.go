package push

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
)

// lane is a source of pushes. Its ring has those that are under way, in the order in which
// they are asked for.
type lane struct {
	load   *Load
	index  int
	stream framework.EchoStream
	msg    []byte
	fans   bool          // it publishes to subscribers
	done   chan struct{} // a push that is waited for was received

	// What follows is of who asks for pushes, one at a time.
	number uint64 // of the next message
	ring   []push
	tail   atomic.Uint64 // number of the next push

	queueing sync.Mutex
	queue    []*push // of an open loop that are still to be sent
	sending  bool    // somebody sends them
}

// Pushes that can be under way.
const (
	mostPushes  = 4096 // of all lanes
	leastPushes = 64   // of a lane
)

// makeRoom allocates the ring when the first push is about to be made: what streams hold has
// been read by then.
func (a *lane) makeRoom(lanes int) {
	if a.ring != nil {
		return
	}
	n := leastPushes
	for n*lanes < mostPushes {
		n *= 2
	}
	a.ring = make([]push, n)
}

func (a *lane) slot(seq uint64) *push { return &a.ring[seq%uint64(len(a.ring))] }

// open lists the pushes of a run of which messages have not been counted. These may have been
// received just now, when they did not count any more.
func (a *lane) open(r *run) iter.Seq[*push] {
	return func(yield func(*push) bool) {
		for i := range a.ring {
			if p := &a.ring[i]; p.run == r.id && p.uncounted() > 0 && !yield(p) {
				return
			}
		}
	}
}

// add makes a push of n messages one that is under way; nil if too many are. The error says
// why no more can come. r is nil outside a run. Pushes outside a run, and of a closed loop,
// are waited for.
func (a *lane) add(r *run, n int, due, sent time.Duration) (p *push, err error) {
	l := a.load
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return nil, l.broken
	}
	seq := a.tail.Load()
	if p = a.slot(seq); p.left.Load() > 0 {
		return nil, nil
	}
	p.number, p.messages, p.due, p.run = a.number, n, due, 0
	if r != nil {
		p.run = r.id
		r.open.Add(1)
	}
	p.waited = r == nil || r.ledger == nil
	p.sent.Store(int64(sent))
	p.seen.Store(0)
	p.left.Store(int64(n))
	receivers := 1
	if a.number += uint64(n); a.fans {
		receivers, a.number = n, p.number+1
	}
	p.word.Store(wordOf(seq, receivers))
	a.tail.Store(seq + 1)
	return p, nil
}

// send asks for a push. If the stream has ended, Recv knows why.
func (a *lane) send(p *push) {
	if len(a.msg) >= ask.Number {
		binary.LittleEndian.PutUint64(a.msg, p.number)
	}
	err := a.stream.Send(framework.EchoMessage{Action: a.load.Action(p.messages), Msg: a.msg})
	if err != nil && !errors.Is(err, io.EOF) {
		a.load.end(err)
	}
}

// call asks for a push in a closed loop, and waits until it was received.
func (a *lane) call(ctx context.Context, r *run) error {
	n := a.load.Messages
	if r != nil {
		n = r.claim(n)
	}
	now := r.now()
	p, err := a.add(r, n, now, now)
	if p == nil && err == nil {
		err = errFull
	}
	if err != nil {
		if r != nil {
			r.failAll(err, n)
		}
		return err
	}
	a.send(p)
	select {
	case <-a.done:
		return nil
	case <-a.load.ended:
		return a.load.broken
	case <-ctx.Done():
		return ctx.Err()
	}
}

var errFull = errors.New("stream: too many pushes are under way")

// watch fails all when the stream of a publisher ends, or brings a message.
func (a *lane) watch() {
	m, err := a.stream.Recv()
	if err == nil {
		err = unasked(m)
	}
	a.load.end(fmt.Errorf("publisher: %w", err))
}
