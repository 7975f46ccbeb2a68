package dial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// restartLeaf is a caller whose server is killed and comes back at the same address.
type restartLeaf struct {
	call.Leaf
	down time.Duration
}

var _ rig.Measurer = restartLeaf{}

// Measure implements rig.Measurer.
func (l restartLeaf) Measure(r *rig.Round) error { return r.Observed(l.observe) }

// observe restarts the server, until the client does not come back.
func (l restartLeaf) observe(r *rig.Round) ([]loadbench.Metric, error) {
	if err := r.Ready(); err != nil {
		return nil, err
	}
	var all comebacks
	for range restartsOf(r.Rig.Settings) {
		c, err := l.restart(r)
		if err != nil {
			return nil, r.GiveUp(err)
		}
		if all = append(all, c); !c.back {
			break
		}
	}
	list := append(all.metrics(), r.Connections(!all[len(all)-1].back))
	patience := r.Rig.Load.Patience(r.Case)
	r.Rig.Ledger.Warn(r.Bench.Name(), all.doubts(l.down, patience)...)
	r.Rig.Ledger.HasNoFigures(r.Bench.Name(), all.unknown(patience))
	if !all[len(all)-1].back {
		r.Close()
	}
	return list, nil
}

// restart kills the server, starts another one at its address, and has the caller call all
// the time.
func (l restartLeaf) restart(r *rig.Round) (c comeback, err error) {
	load, old := r.Load.(*load.Local), r.Running[0]
	if err := load.CallOnce(0); err != nil {
		return c, fmt.Errorf("before the restart: %w", err)
	}
	again, err := server.ListenAgain(old.Addr())
	if err != nil {
		return c, err
	}
	old.Kill()
	killed := time.Now()
	calls := begin(func(ctx context.Context) error {
		return load.CallUntil(ctx, 0, cmp.Or(r.Timeout, load.Patience))
	})
	again.Arg, again.NotBefore, again.Link = r.Rig.Order(r.Variant, "", 1), killed.Add(l.down), r.Rig.Networks.Links[r.Network.Name]
	next, err := r.Rig.Launch(r.Bench.Context(), r.Target, r.Cores, again)
	if err != nil {
		calls.stop()
		return c, err
	}
	r.Running[0] = next
	up := next.Holder.Ready().Up
	if err := calls.await(time.Until(up.Add(r.Rig.Load.Patience(r.Case)))); err != nil {
		return c, err
	}
	return calls.comeback(killed, up), calls.wrong()
}

// betweenCalls is how long the caller waits after a call that failed.
const betweenCalls = time.Millisecond

// caller calls until a call succeeds.
type caller struct {
	ended  chan struct{} // closed after the last call
	ending context.Context
	end    func()

	// These are of ended calls. They are read when ended is closed.
	failed []time.Time // when these calls ended
	last   error       // of the last of them
	back   time.Time   // when a call succeeded; zero if none did
}

// begin has a caller call.
func begin(call func(context.Context) error) *caller {
	c := &caller{ended: make(chan struct{})}
	c.ending, c.end = context.WithCancel(context.Background())
	go func() {
		defer close(c.ended)
		c.run(call)
	}()
	return c
}

func (c *caller) run(call func(context.Context) error) {
	for c.ending.Err() == nil {
		err := call(c.ending)
		switch {
		case err == nil:
			c.back = time.Now()
			return
		case c.ending.Err() != nil: // it did not end by itself
			c.last = cmp.Or(c.last, load.ErrStuck)
			return
		}
		c.failed, c.last = append(c.failed, time.Now()), err
		if c.wrong() != nil {
			return
		}
		select {
		case <-c.ending.Done():
		case <-time.After(betweenCalls):
		}
	}
}

// await waits until a call succeeds, but not longer than d. The error says that a call
// does not end.
func (c *caller) await(d time.Duration) error {
	select {
	case <-c.ended:
		return nil
	case <-time.After(d):
		return c.stop()
	}
}

// stop ends the caller's call, and has it make no other.
func (c *caller) stop() error {
	c.end()
	select {
	case <-c.ended:
		return nil
	case <-time.After(load.CloseTimeout):
		return fmt.Errorf("%w after the server was restarted", load.ErrStuck)
	}
}

// wrong is the error of a call that was answered wrongly.
func (c *caller) wrong() error {
	if errors.Is(c.last, call.ErrWrongReply) || errors.Is(c.last, call.ErrNoReply) {
		return c.last
	}
	return nil
}

// comeback is how a client came back to a server that was restarted.
type comeback struct {
	back   bool
	took   time.Duration // from when the server was up until a call succeeded; not below 0
	early  bool          // a call succeeded before the server was up, by its own account
	failed int           // calls, in that time
	down   time.Duration // the server
	last   error         // of the last call that failed
}

func (c *caller) comeback(killed, up time.Time) comeback {
	after := slices.DeleteFunc(slices.Clone(c.failed), func(ended time.Time) bool { return !ended.After(up) })
	return comeback{
		back: !c.back.IsZero(), took: max(c.back.Sub(up), 0), early: !c.back.IsZero() && c.back.Before(up), failed: len(after),
		down: up.Sub(killed), last: c.last,
	}
}

// comebacks are those after all restarts. At most the last one is not back.
type comebacks []comeback

// times returns how long clients took that came back, the shortest first.
func (a comebacks) times() (list []time.Duration) {
	for _, c := range a {
		if c.back {
			list = append(list, c.took)
		}
	}
	slices.Sort(list)
	return list
}

func (a comebacks) metrics() []loadbench.Metric {
	times, failed := a.times(), 0
	for _, c := range a {
		if c.back {
			failed += c.failed
		}
	}
	n := len(times)
	list := []loadbench.Metric{{Value: float64(n), Unit: "reconnects"}, {Unit: "errors"}, {Unit: "ns/op"}} // no ns/op
	if n == 0 {
		return list
	}
	return append(list,
		loadbench.Metric{Value: float64(times[(n-1)/2]+times[n/2]) / 2, Unit: "reconnect-ns"},
		loadbench.Metric{Value: float64(times[n-1]), Unit: "max-ns"},
		loadbench.Metric{Value: float64(failed) / float64(n), Unit: "failed-calls"})
}

// unknown says why there is no time; "" if there is one.
func (a comebacks) unknown(patience time.Duration) string {
	if len(a.times()) > 0 {
		return ""
	}
	return "of how long a client takes to reconnect: " + a[0].never(patience)
}

func (c comeback) never(patience time.Duration) string {
	return fmt.Sprintf("it had not %v after the server was up again: its calls fail with: %s", patience, foreign.Error(c.last))
}

// slowStart is how much longer than asked for a server may be down without a warning.
const slowStart = 100 * time.Millisecond

// doubts lists reasons not to trust the times.
func (a comebacks) doubts(asked, patience time.Duration) (list []string) {
	longest := slices.MaxFunc(a, func(b, c comeback) int { return cmp.Compare(b.down, c.down) }).down
	if longest > asked+slowStart {
		list = append(list, fmt.Sprintf("the server was down for up to %v, as it took so long to start", longest.Round(time.Millisecond)))
	}
	if n := len(slices.DeleteFunc(slices.Clone(a), func(c comeback) bool { return !c.early })); n > 0 {
		list = append(list, fmt.Sprintf("after %d of %d restarts a call succeeded before the server had started in full, which counts as no time", n, len(a)))
	}
	if last := a[len(a)-1]; !last.back && len(a) > 1 {
		list = append(list, fmt.Sprintf("after restart %d the client did not reconnect: %s", len(a), last.never(patience)))
	}
	return list
}
