package rig

import (
	"flag"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/iperf"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Table is what there is to measure. Its fields are those of suite.Config, in the
// same order.
type Table struct {
	Frameworks []framework.Variant
	Workloads  []framework.Workload
	GoMod      []byte
	Proxy      func(server string, delay time.Duration) (framework.Server, error)
}

// Flags are all flags of the suite, beside those of package testing. They are
// written with = and after the package: go test -bench X . -conc=100,1000
type Flags struct {
	Options  *plan.Options
	Settings Settings

	table      Table
	benchmarks []*plan.Benchmark
}

// NewFlags are the flags with their defaults.
func NewFlags(t Table) *Flags {
	f := &Flags{Options: plan.NewOptions(), table: t}
	f.Settings.workloads, f.Settings.proxy, f.Settings.iperf = newWorkloads(t.Workloads), t.Proxy, iperf.Installed()
	f.benchmarks = benchmarks(&f.Settings)
	return f
}

// Register registers the flags.
func (f *Flags) Register(fs *flag.FlagSet) {
	f.Options.Register(fs)
	f.Settings.register(fs)
	for _, b := range f.benchmarks {
		if b.Flags != nil {
			b.Flags(fs)
		}
	}
}

// Check returns an error if the flags, which were registered in fs, cannot be
// used by themselves. It keeps what of them is for others.
func (f *Flags) Check(fs *flag.FlagSet) error {
	if err := plan.FlagErr(fs); err != nil {
		return err
	}
	f.Settings.clients, f.Settings.flags = f.Options.Clients, f.values(fs)
	return f.Settings.check(f.Options)
}

// Plan plans what the flags ask for.
func (f *Flags) Plan() (*plan.Plan, error) {
	f.Options.Files = host.FileLimit()
	return plan.New(f.Options, f.table.Frameworks, f.benchmarks)
}

// values are those of the suite's flags in fs, by name.
func (f *Flags) values(fs *flag.FlagSet) map[string]string {
	values, ours := map[string]string{}, flag.NewFlagSet("", flag.ContinueOnError)
	NewFlags(f.table).Register(ours)
	ours.VisitAll(func(one *flag.Flag) { values[one.Name] = fs.Lookup(one.Name).Value.String() })
	return values
}
