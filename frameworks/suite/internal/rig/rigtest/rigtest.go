// Package rigtest has what tests of benchmarks measure without processes.
package rigtest

import (
	"context"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Bench is a Bench without package testing.
type Bench struct {
	loadbench.Values
}

func (Bench) ReportAllocs() {}

func (Bench) ResetTimer() {}

func (Bench) StopTimer() {}

func (Bench) SetBytes(int64) {}

func (Bench) Name() string { return "BenchmarkFake" }

func (Bench) Context() context.Context { return context.Background() }

// noLoad makes calls that do nothing.
type noLoad struct{}

func (noLoad) Run(b load.Bench, n int, cfg loadgen.Config) (m load.Measured, err error) {
	m.Measured, err = loadbench.Measure(b, n, cfg, loadgen.Call(func(context.Context, int) error { return nil }).Run)
	return m, err
}

func (noLoad) Loads(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	return loadgen.Run(ctx, cfg, func(context.Context, int) error { return nil })
}

func (noLoad) PIDs() []int { return nil }

func (noLoad) Conns() (int, error) { return 0, nil }

func (noLoad) Close() error { return nil }

// Stubborn is a server that may not stop, or not go on.
type Stubborn struct {
	server.Given
	PauseErr, ResumeErr error
	Resumed             *bool
}

// Pause implements the server's ability.
func (s Stubborn) Pause() error { return s.PauseErr }

// Resume implements the server's ability.
func (s Stubborn) Resume() error {
	*s.Resumed = true
	return s.ResumeErr
}

// BedOf is a testbed for a case, with this server and no process behind it.
func BedOf(p server.Place, c plan.Case) *rig.Testbed {
	r := &rig.Rig{Settings: &rig.Settings{Load: load.Settings{Watchdog: 10 * time.Second}}, Ledger: ledger.New(map[string]string{}), Options: new(plan.Options)}
	return rig.NewTestbed(r, c, []*server.Server{server.New(p)}, noLoad{})
}
