package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// dealing watches how the calls of a run are dealt out to the servers, by how many each has
// handled.
type dealing struct {
	stopped chan struct{}
	began   time.Time
	ended   time.Time

	mu      sync.Mutex
	servers []*server.Server // nil for one that cannot be asked
	base    []int64          // what a server's own count is added to
	counts  []int64          // calls that each has handled so far
	steps   []step
	err     error // why counts are not known
}

// step is how many calls each server had handled until a time.
type step struct {
	at      time.Time
	handled []int64
}

const (
	stepTime = 100 * time.Millisecond
	usedPoll = 5 * time.Millisecond // until a server that has come back is used
)

// newDealing starts the count of each server.
func newDealing(servers []*server.Server) *dealing {
	d := &dealing{
		stopped: make(chan struct{}), servers: slices.Clone(servers),
		base: make([]int64, len(servers)), counts: make([]int64, len(servers)),
	}
	for i, s := range servers {
		n, err := s.Handled(context.Background())
		d.base[i], d.err = -n, cmp.Or(d.err, err)
	}
	return d
}

// watch asks the servers until stop is called.
func (d *dealing) watch() {
	d.mu.Lock()
	d.began = time.Now()
	d.mu.Unlock()
	tick := time.NewTicker(stepTime)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			d.read()
		case <-d.stopped:
			return
		}
	}
}

// stop ends watch.
func (d *dealing) stop() {
	d.ended = time.Now()
	close(d.stopped)
}

// read asks all servers that can be asked.
func (d *dealing) read() {
	for i := range d.counts {
		d.ask(i)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steps = append(d.steps, step{time.Now(), slices.Clone(d.counts)})
}

// ask asks one server. It may have failed meanwhile, and its answer then means nothing.
func (d *dealing) ask(i int) {
	d.mu.Lock()
	s := d.servers[i]
	d.mu.Unlock()
	if s == nil {
		return
	}
	n, err := s.Handled(context.Background())
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.servers[i] != s {
		return
	}
	if d.err = cmp.Or(d.err, err); err == nil {
		d.counts[i] = d.base[i] + n
	}
}

// skip asks a server a last time: it is about to fail.
func (d *dealing) skip(i int) {
	d.ask(i)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.servers[i], d.base[i] = nil, d.counts[i]
}

// resume has a server asked that takes the place of one that was skipped. It returns when the
// server was seen to have handled a call; zero if the run ended before.
func (d *dealing) resume(i int, s *server.Server) time.Time {
	_, err := s.Handled(context.Background()) // which starts its count
	d.mu.Lock()
	d.servers[i], d.err = s, cmp.Or(d.err, err)
	d.mu.Unlock()
	for {
		if n, err := s.Handled(context.Background()); err == nil && n > 0 {
			return time.Now()
		}
		select {
		case <-d.stopped:
			return time.Time{}
		case <-time.After(usedPoll):
		}
	}
}

// evenShare is the part of the mean of the others that a server's calls have in a step in which
// its share counts as theirs: one step has few calls.
const evenShare = .5

// even returns how long after a time a server had the same share as the others, in a step of
// stepTime. It is not known if it never had, and for the zero time.
func (d *dealing) even(i int, since time.Time) (after time.Duration, known bool) {
	for k := 1; k < len(d.steps) && !since.IsZero(); k++ {
		before, now := d.steps[k-1], d.steps[k]
		if before.at.Before(since) {
			continue
		}
		shares := percent(minus(now.handled, before.handled))
		if others := (100 - shares[i]) / float64(len(shares)-1); shares[i] >= evenShare*others && shares[i] > 0 {
			return now.at.Sub(since), true
		}
	}
	return 0, false
}

// report adds the slow server's share to a run, and notes that of each server over time.
func (d *dealing) report(r *rig.Round, s slow, m *load.Measured) {
	d.read()
	if d.err != nil {
		r.Missing = append(r.Missing, fmt.Sprintf("of the servers' shares: %v", d.err))
		return
	}
	if s.server > 0 && !s.fails() {
		m.More = append(m.More, loadbench.Metric{Value: percent(d.counts)[s.server-1], Unit: "slow-share-%"})
	}
	r.Rig.Ledger.DealtOut(r.Bench.Name(), d.table()...)
}

// columns is how many steps a table tells at most.
const columns = 20

// table tells the share of each server, of all calls handled and over time.
func (d *dealing) table() []string {
	each := (len(d.steps) + columns - 1) / columns
	over := make([][]string, len(d.counts))
	before := make([]int64, len(d.counts))
	for k := each - 1; k < len(d.steps); k += each {
		now := d.steps[k].handled
		for i, share := range percent(minus(now, before)) {
			over[i] = append(over[i], fmt.Sprintf("%.0f", share))
		}
		before = now
	}
	rows := []string{fmt.Sprintf("per cent of the calls handled, in all and in each %v", time.Duration(each)*stepTime)}
	for i, share := range percent(d.counts) {
		rows = append(rows, fmt.Sprintf("server %d: %.1f: %s", i+1, share, strings.Join(over[i], " ")))
	}
	return rows
}

func minus(a, b []int64) []int64 {
	list := slices.Clone(a)
	for i, n := range b {
		list[i] -= n
	}
	return list
}

// percent returns the share of each server.
func percent(handled []int64) []float64 {
	sum, list := int64(0), make([]float64, len(handled))
	for _, n := range handled {
		sum += n
	}
	for i, n := range handled {
		list[i] = 100 * float64(n) / float64(max(sum, 1))
	}
	return list
}
