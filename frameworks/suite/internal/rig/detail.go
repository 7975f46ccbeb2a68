package rig

import (
	"cmp"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/resident"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// detail is what -detail adds to a line beside times: the resident memory of both sides
// at the end of the run, and the soft interrupts on this machine. nil adds nothing.
type detail struct {
	client  []int // its processes
	rss     int64 // bytes of the client; 0 if they are not known
	soft    cpus.SoftTimes
	softErr error
}

func (d *detail) start(set cpus.Set) {
	if d != nil {
		d.soft, d.softErr = cpus.ReadSoftTimes(set)
	}
}

func (d *detail) stop(set cpus.Set) {
	if d == nil {
		return
	}
	now, err := cpus.ReadSoftTimes(set)
	d.soft, d.softErr = now.Since(d.soft), cmp.Or(d.softErr, err)
	d.rss = resident.Together(d.client...)
}

// metrics leaves out what the system does not tell.
func (d *detail) metrics(m measured, p *probe) (list []loadbench.Metric) {
	if d == nil {
		return nil
	}
	if d.rss > 0 {
		list = append(list, loadbench.Metric{Value: float64(d.rss), Unit: "client-rss-B"})
	}
	if p.err == nil && p.figures.RSS > 0 {
		list = append(list, loadbench.Metric{Value: float64(p.figures.RSS), Unit: "server-rss-B"})
	}
	return append(list, d.interrupts(m, p)...)
}

// interrupts returns the time of soft interrupts in percent of the CPU time of both sides.
// What is outside is in the CPU time per call of neither side. It is left out where both
// sides have all CPUs, and all is left out of a run that is too short to be sampled.
func (d *detail) interrupts(m measured, p *probe) (list []loadbench.Metric) {
	used := p.used(m)
	if d.softErr != nil || p.err != nil || p.sides.spread || m.CPU == 0 || m.Elapsed < enoughTime {
		return nil
	}
	list = append(list, loadbench.Metric{Value: 100 * d.soft.Inside.Seconds() / used.Seconds(), Unit: "softirq-%"})
	if d.soft.Others > 0 {
		list = append(list, loadbench.Metric{Value: 100 * d.soft.Outside.Seconds() / used.Seconds(), Unit: "softirq-outside-%"})
	}
	return list
}
