package rig

import (
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// lineTrial is about how long a trial of a line takes.
const lineTrial = 800 * time.Millisecond

// TryLines measures each line of a plan twice: alone, and while both sides are as busy as
// they can be. The second says what their rows are worth. Benchmarks that only have to run
// need neither.
func (r *Rig) TryLines(p *plan.Plan) error {
	for _, n := range p.Networks() {
		l := r.Networks.Links[n.Name]
		if l == nil || r.Load.Smoke() {
			continue
		}
		alone, err := l.Try(lineTrial)
		if err != nil {
			return fmt.Errorf("net=%s: %w", n.Name, err)
		}
		beside, err := r.tryBeside(l)
		if err != nil {
			return fmt.Errorf("net=%s: %w", n.Name, err)
		}
		r.Networks.Found = append(r.Networks.Found, fmt.Sprintf("net=%s: %s", n.Name, aboutLine(l, n)), fmt.Sprintf("net=%s alone: %v", n.Name, alone),
			fmt.Sprintf("net=%s beside saturated sides: %v", n.Name, beside))
		for _, doubt := range beside.Doubts() {
			r.Ledger.Warn("net="+n.Name, "beside saturated sides "+doubt)
		}
	}
	return nil
}

func (r *Rig) tryBeside(l *link.Link) (link.Trial, error) {
	stop, err := process.Spin(r.Placement.both(plan.Cores{}))
	if err != nil {
		return link.Trial{}, err
	}
	defer stop()
	return l.Try(lineTrial)
}

// aboutLine says what a line is, beyond its name.
func aboutLine(l *link.Link, n plan.Network) string {
	about := fmt.Sprintf("one way %v; TCP: %s", n.Line, link.TCP())
	if c, err := l.Counts(); err == nil && !c.Realtime {
		about += "; no real-time priority: it takes root or CAP_SYS_NICE"
	}
	return about
}
