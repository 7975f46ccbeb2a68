package cluster

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
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
	if f.next, err = r.Rig.Launch(r.Bench.Context(), r.Target, again); err != nil {
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
func (f *failure) report(calls []outcome, timeout time.Duration, m *load.Measured) {
	until := f.up
	if until.IsZero() {
		until = lastDue(calls).Add(1)
	}
	late := timeout / 2
	s := suffer(calls, f.began, until, late)
	add := func(value float64, unit string) { m.More = append(m.More, loadbench.Metric{Value: value, Unit: unit}) }
	add(float64(s.failed), "failed-calls")
	add(float64(s.late), "late-calls")
	add(s.percent(), "suffered-%")
	if after, known := s.left(f.began, until); known {
		add(float64(after), "left-ns")
	}
	if !f.used.IsZero() {
		add(float64(max(f.used.Sub(f.up), 0)), "used-again-ns")
	}
	if even, known := f.dealing.even(f.slow.server-1, f.up); known {
		add(float64(even), "even-again-ns")
	}
	f.round.Rig.Ledger.HasNoFigures(f.round.Bench.Name(), f.unknown(s, until, late)...)
}

// unknown says which times are not known, and why.
func (f *failure) unknown(s suffered, until time.Time, late time.Duration) (list []string) {
	number, whole := f.slow.server, until.Sub(f.began).Round(time.Millisecond)
	if _, known := s.left(f.began, until); !known {
		list = append(list, fmt.Sprintf("of when server %d was left: for all of the %v in which it was down, calls failed or took more than %v", number, whole, late))
	}
	if f.slow.returns() && f.used.IsZero() {
		list = append(list, fmt.Sprintf("of when server %d was used again: it had handled no call %v after it was up again", number, f.dealing.ended.Sub(f.up).Round(time.Millisecond)))
	}
	return list
}
