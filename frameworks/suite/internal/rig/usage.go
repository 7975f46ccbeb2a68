package rig

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// usage adds up what processes use during a run.
type usage struct {
	meters  []meter // nil for a server given by -server
	before  []host.Figures
	cpuThen []time.Duration

	figures host.Figures
	cpu     time.Duration
	err     error
}

func newUsage(servers []*Server) *usage {
	u := new(usage)
	for _, s := range servers {
		u.meters = append(u.meters, s.meter)
	}
	return u
}

// start reads CPU times last and stop reads them first, so that reading the other
// figures is not counted.
func (u *usage) start() {
	u.before, u.cpuThen = make([]host.Figures, len(u.meters)), make([]time.Duration, len(u.meters))
	for i, m := range u.meters {
		u.before[i] = u.read(m)
	}
	for i, m := range u.meters {
		u.cpuThen[i] = u.readCPU(m)
	}
}

func (u *usage) stop() {
	for i, m := range u.meters {
		u.cpu += u.readCPU(m) - u.cpuThen[i]
	}
	for i, m := range u.meters {
		f := u.read(m).Since(u.before[i])
		u.figures.Allocs += f.Allocs
		u.figures.AllocBytes += f.AllocBytes
		u.figures.RSS += f.RSS
		u.figures.PeakRSS += f.PeakRSS
	}
}

func (u *usage) read(m meter) (f host.Figures) {
	err := errGiven
	if m != nil {
		f, err = m.Figures(context.Background())
	}
	u.err = cmp.Or(u.err, err)
	return f
}

func (u *usage) readCPU(m meter) (cpu time.Duration) {
	err := errGiven
	if m != nil {
		cpu, err = m.CPU()
	}
	u.err = cmp.Or(u.err, err)
	return cpu
}

// unknown returns the error of reading a server that could be read; nil if it was
// read or was given by -server.
func (u *usage) unknown() error {
	if errors.Is(u.err, errors.ErrUnsupported) {
		return nil
	}
	return u.err
}

// metrics returns what the processes allocated per call; nil if it could not be read.
func (u *usage) metrics(calls int64, prefix string) []loadbench.Metric {
	if u.err != nil || calls == 0 {
		return nil
	}
	return allocations(u.figures, calls, prefix)
}

// share is the CPU time as a part of the elapsed time of all procs.
func share(cpu, elapsed time.Duration, procs int) float64 {
	return float64(cpu) / float64(elapsed) / float64(procs)
}
