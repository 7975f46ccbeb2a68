package probe

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Usage adds up what processes use during a run.
type Usage struct {
	Meters  []server.Meter // nil for a server given by -server
	before  []host.Figures
	cpuThen []time.Duration

	Figures host.Figures
	cpu     time.Duration
	Each    []Used // by each process
	Err     error
}

// Used is what a process used during a run.
type Used struct {
	CPU time.Duration
	RSS int64 // bytes of resident memory at the end
}

// NewUsage returns what adds up the usage of servers.
func NewUsage(servers []*server.Server) *Usage {
	u := new(Usage)
	for _, s := range servers {
		u.Meters = append(u.Meters, s.Meter)
	}
	return u
}

// start reads CPU times last and stop reads them first, so that reading the other
// figures is not counted.
func (u *Usage) start() {
	u.before, u.cpuThen = make([]host.Figures, len(u.Meters)), make([]time.Duration, len(u.Meters))
	for i, m := range u.Meters {
		u.before[i] = u.read(m)
	}
	for i, m := range u.Meters {
		u.cpuThen[i] = u.ReadCPU(m)
	}
}

func (u *Usage) stop() {
	u.Each = make([]Used, len(u.Meters))
	for i, m := range u.Meters {
		u.Each[i].CPU = u.ReadCPU(m) - u.cpuThen[i]
		u.cpu += u.Each[i].CPU
	}
	for i, m := range u.Meters {
		f := u.read(m).Since(u.before[i])
		u.Figures.Allocs += f.Allocs
		u.Figures.AllocBytes += f.AllocBytes
		u.Figures.RSS += f.RSS
		u.Each[i].RSS = f.RSS
		u.Figures.PeakRSS += f.PeakRSS
		u.Figures.Monitor += f.Monitor
	}
}

func (u *Usage) read(m server.Meter) (f host.Figures) {
	err := server.ErrGiven
	if m != nil {
		f, err = m.Figures(context.Background())
	}
	u.Err = cmp.Or(u.Err, err)
	return f
}

// ReadCPU returns the CPU time of a process so far. An error is kept in u.
func (u *Usage) ReadCPU(m server.Meter) (cpu time.Duration) {
	err := server.ErrGiven
	if m != nil {
		cpu, err = m.CPU()
	}
	u.Err = cmp.Or(u.Err, err)
	return cpu
}

// unknown returns the error of reading a server that could be read; nil if it was
// read or was given by -server.
func (u *Usage) unknown() error {
	if errors.Is(u.Err, errors.ErrUnsupported) {
		return nil
	}
	return u.Err
}

// metrics returns what the processes allocated per call; nil if it could not be read.
func (u *Usage) metrics(calls int64, prefix string) []loadbench.Metric {
	if u.Err != nil || calls == 0 {
		return nil
	}
	return load.Allocations(u.Figures, calls, prefix)
}

// share is the CPU time as a part of the elapsed time of all procs.
func share(cpu, elapsed time.Duration, procs int) float64 {
	return float64(cpu) / float64(elapsed) / float64(procs)
}
