package probe

import (
	"cmp"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Detail is what -detail adds to a line beside times: the resident memory of both sides
// at the end of the run, and what else than both sides the CPUs worked for. nil adds nothing.
type Detail struct {
	Client   []int // its processes
	rss      int64 // bytes of the client; 0 if they are not known
	taken    cpus.Taken
	takenErr error
}

func (d *Detail) start(set cpus.Set) {
	if d != nil {
		d.taken, d.takenErr = cpus.ReadTaken(set)
	}
}

func (d *Detail) stop(set cpus.Set) {
	if d == nil {
		return
	}
	now, err := cpus.ReadTaken(set)
	d.taken, d.takenErr = now.Since(d.taken), cmp.Or(d.takenErr, err)
	d.rss = resident.Together(d.Client...)
}

// metrics leaves out what the system does not tell.
func (d *Detail) metrics(m load.Measured, p *Probe) (list []loadbench.Metric) {
	if d == nil {
		return nil
	}
	if d.rss > 0 {
		list = append(list, loadbench.Metric{Value: float64(d.rss), Unit: "client-rss-B"})
	}
	if p.Err == nil && p.Figures.RSS > 0 {
		list = append(list, loadbench.Metric{Value: float64(p.Figures.RSS), Unit: "server-rss-B"})
	}
	return append(append(list, d.interrupts(m, p)...), d.elsewhere(m, p)...)
}

// elsewhere returns which share of the CPUs of both sides went to other processes, and which
// the machine's host gave to others.
func (d *Detail) elsewhere(m load.Measured, p *Probe) []loadbench.Metric {
	others, known := p.others(m)
	if !known || d.takenErr != nil || m.Elapsed < EnoughTime {
		return nil
	}
	stolen := share(d.taken.Stolen, m.Elapsed, len(p.Sides.CPUs))
	return []loadbench.Metric{{Value: max(100*others, 0), Unit: "other-busy-%"}, {Value: 100 * stolen, Unit: "stolen-%"}}
}

// interrupts returns the time of soft interrupts in percent of the CPU time of both sides.
// What is outside is in the CPU time per call of neither side. It is left out where both
// sides have all CPUs, and all is left out of a run that is too short to be sampled.
func (d *Detail) interrupts(m load.Measured, p *Probe) (list []loadbench.Metric) {
	used := p.used(m)
	if d.takenErr != nil || p.Err != nil || p.Sides.Spread || m.CPU == 0 || m.Elapsed < EnoughTime {
		return nil
	}
	list = append(list, loadbench.Metric{Value: 100 * d.taken.Inside.Seconds() / used.Seconds(), Unit: "softirq-%"})
	if d.taken.Others > 0 {
		list = append(list, loadbench.Metric{Value: 100 * d.taken.Outside.Seconds() / used.Seconds(), Unit: "softirq-outside-%"})
	}
	return list
}
