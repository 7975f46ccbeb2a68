package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// restartLeaf is a caller whose server is killed and comes back at the same address.
type restartLeaf struct {
	leaf
	down time.Duration
}

func (l restartLeaf) measure(r *round) error { return r.observed(l.observe) }

// observe restarts the server, until the client does not come back.
func (l restartLeaf) observe(r *round) ([]loadbench.Metric, error) {
	if err := r.ready(); err != nil {
		return nil, err
	}
	var all comebacks
	for range restartsOf(r.rig.Settings) {
		c, err := l.restart(r)
		if err != nil {
			return nil, r.giveUp(err)
		}
		if all = append(all, c); !c.back {
			break
		}
	}
	list := append(all.metrics(), r.connections(!all[len(all)-1].back))
	patience := r.rig.Load.patience(r.Case)
	r.rig.Ledger.warn(r.b.Name(), all.doubts(l.down, patience)...)
	r.rig.Ledger.hasNoFigures(r.b.Name(), all.unknown(patience))
	if !all[len(all)-1].back {
		r.Close()
	}
	return list, nil
}

// restart kills the server, starts another one at its address, and has the caller call all
// the time.
func (l restartLeaf) restart(r *round) (c comeback, err error) {
	load, old := r.load.(*local), r.servers[0]
	if err := load.makeCall(0); err != nil {
		return c, fmt.Errorf("before the restart: %w", err)
	}
	again, err := listenAgain(old.Addr())
	if err != nil {
		return c, err
	}
	old.kill()
	killed := time.Now()
	calls := begin(func(ctx context.Context) error {
		return load.makeCallUntil(ctx, 0, cmp.Or(r.Timeout, load.patience))
	})
	again.Arg, again.NotBefore, again.Link = r.rig.order(r.Variant, ""), killed.Add(l.down), r.rig.Networks.Links[r.Network.Name]
	next, err := r.rig.launch(r.b.Context(), r.Target, again)
	if err != nil {
		calls.stop()
		return c, err
	}
	r.servers[0] = next
	up := next.holder.Ready().Up
	if err := calls.await(time.Until(up.Add(r.rig.Load.patience(r.Case)))); err != nil {
		return c, err
	}
	return calls.comeback(killed, up), calls.wrong()
}

// listenAgain has another server listen where one did that was killed, which has left the
// file of a Unix socket.
func listenAgain(addr string) (c host.Config, err error) {
	if framework.NetworkOf(addr) == "unix" {
		c.Listen = addr
		return c, nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		c.Port, err = strconv.Atoi(port)
	}
	return c, err
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
			c.last = cmp.Or(c.last, errStuck)
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
	case <-time.After(closeTimeout):
		return fmt.Errorf("%w after the server was restarted", errStuck)
	}
}

// wrong is the error of a call that was answered wrongly.
func (c *caller) wrong() error {
	if errors.Is(c.last, errWrongReply) || errors.Is(c.last, errNoReply) {
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
