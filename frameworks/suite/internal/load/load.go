// Package load makes the calls of a case: in this process, in client processes of this
// machine, or in ranks on any. Load is what all of them can do.
package load

import (
	"context"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Bench is the part of *testing.B that the rig needs, beside b.N.
type Bench interface {
	loadbench.Bench
	loadbench.Reporter
	Name() string
	Context() context.Context
	SetBytes(n int64)
}

// Load makes the calls of a case: in this process, or in others.
type Load interface {
	// Run makes n calls. The error says why they ended early; there may be a
	// result as well.
	Run(b Bench, n int, cfg loadgen.Config) (Measured, error)
	// Loads is a loadgen.Runner. It makes calls outside a benchmark, and checks them.
	Loads(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error)
	PIDs() []int         // of the processes that make them, without those on other machines
	Conns() (int, error) // to all servers
	Close() error        // the error says that it may be running still
}

// Measured is the result of a run, with what else its load reports.
type Measured struct {
	loadbench.Measured
	More   []loadbench.Metric
	Doubts []string   // reasons not to trust the result
	Parts  []RunReply // of several clients; nil for one
}

// Allocations returns what processes allocated for each call; prefix is that of the units.
func Allocations(f host.Figures, calls int64, prefix string) []loadbench.Metric {
	return []loadbench.Metric{
		{Value: float64(f.AllocBytes) / float64(calls), Unit: prefix + "B/op"},
		{Value: float64(f.Allocs) / float64(calls), Unit: prefix + "allocs/op"},
	}
}
