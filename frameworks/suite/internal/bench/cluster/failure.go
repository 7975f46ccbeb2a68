package cluster

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/outcome"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// failure is what happens to a server in a run.
type failure struct {
	slow    slow
	round   *rig.Round
	dealing *dealing
	victim  *server.Server
	next    *server.Server // that started in its place; nil for none
	killing sync.WaitGroup

	began time.Time // when it stood still or was killed
	up    time.Time // when it listened again; zero if it did not
	used  time.Time // when it was seen to have handled a call since; zero if it was not
	err   error     // why it did not happen as it should

	mu     sync.Mutex // the run may end while the server is stopped
	thawed bool       // it is not to stand still any more
}

// happen has the server fail after a time, and come back if it should.
func (f *failure) happen(after time.Duration) {
	time.Sleep(after)
	f.dealing.skip(f.slow.server - 1)
	if f.slow.fault == frozen {
		f.freeze()
		return
	}
	f.began = time.Now()
	f.killing.Go(f.victim.Kill) // it is dead long before the system has told so
	if f.slow.returns() {
		f.err = f.comeBack()
	}
}

// leastDown is the shortest time after which a server listens where another was killed.
const leastDown = 100 * time.Millisecond

// comeBack starts a server where the other was.
func (f *failure) comeBack() error {
	again, err := server.ListenAgain(f.victim.Addr())
	if err != nil {
		return err
	}
	r := f.round
	again.Arg, again.NotBefore, again.Link = r.Rig.Order(r.Variant, r.Workload, 1), f.began.Add(max(f.slow.down, leastDown)), r.Rig.Networks.Links[r.Network.Name]
	if f.next, err = r.Rig.Launch(r.Bench.Context(), r.Target, r.Cores, again); err != nil {
		return err
	}
	f.up = f.next.Holder.Ready().Up
	f.used = f.dealing.resume(f.slow.server-1, f.next)
	return nil
}

func (f *failure) freeze() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.began = time.Now(); !f.thawed {
		f.err = f.victim.Pause()
	}
}

// thaw lets a server that stands still go on.
func (f *failure) thaw() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.thawed = true; f.slow.fault == frozen {
		f.err = cmp.Or(f.err, f.victim.Resume())
	}
}

// end ends the servers that the round's testbed does not know.
func (f *failure) end() {
	f.killing.Wait()
	if f.next != nil {
		f.next.Kill()
	}
}

// report adds to a run what the failure did to its calls.
func (f *failure) report(calls []outcome.Outcome, deadline time.Duration, m *load.Measured) {
	until := f.up
	if until.IsZero() {
		until = outcome.LastDue(calls).Add(1)
	}
	s, number := outcome.Suffer(calls, f.began, until, deadline), f.slow.server
	m.More = append(m.More, s.Metrics()...)
	if after, known := s.Left(); known {
		m.More = append(m.More, loadbench.Metric{Value: float64(after), Unit: "left-ns"})
	}
	if !f.used.IsZero() {
		m.More = append(m.More, loadbench.Metric{Value: float64(max(f.used.Sub(f.up), 0)), Unit: "used-again-ns"})
	}
	if even, known := f.dealing.even(number-1, f.up); known {
		m.More = append(m.More, loadbench.Metric{Value: float64(even), Unit: "even-again-ns"})
	}
	f.round.Missing = append(f.round.Missing, s.Unknown(number))
	if f.slow.returns() && f.used.IsZero() {
		f.round.Missing = append(f.round.Missing, fmt.Sprintf("of when server %d was used again: it had handled no call %v after it was up again", number, f.dealing.ended.Sub(f.up).Round(time.Millisecond)))
	}
}
