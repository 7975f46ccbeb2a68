package rig

import (
	"context"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// fakeBench is a Bench without package testing.
type fakeBench struct {
	loadbench.Values
}

func (fakeBench) ReportAllocs() {}

func (fakeBench) ResetTimer() {}

func (fakeBench) StopTimer() {}

func (fakeBench) SetBytes(int64) {}

func (fakeBench) Name() string { return "BenchmarkFake" }

func (fakeBench) Context() context.Context { return context.Background() }

// fakeLoad makes calls that do nothing.
type fakeLoad struct{}

func (fakeLoad) run(b Bench, n int, cfg loadgen.Config) (m measured, err error) {
	m.Measured, err = loadbench.Measure(b, n, cfg, func(context.Context, int) error { return nil })
	return m, err
}

func (fakeLoad) pids() []int { return nil }

func (fakeLoad) conns() (int, error) { return 0, nil }

func (fakeLoad) close() error { return nil }

// stubborn is a server that may not stop, or not go on.
type stubborn struct {
	given
	pause, resume error
	resumed       *bool
}

func (s stubborn) Pause() error { return s.pause }

func (s stubborn) Resume() error {
	*s.resumed = true
	return s.resume
}

// bedOf is a testbed for a case, with this server and no process behind it.
func bedOf(p place, c plan.Case) *Testbed {
	r := &Rig{Settings: &Settings{Load: loadSettings{Watchdog: 10 * time.Second}}, Ledger: newLedger(map[string]string{}), options: new(plan.Options)}
	return testbedOf(r, c, []*Server{newServer(p)}, fakeLoad{})
}
