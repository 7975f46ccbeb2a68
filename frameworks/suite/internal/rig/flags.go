package rig

import (
	"flag"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/files"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/work"
)

// Table holds what can be measured. Its fields are those of suite.Config.
type Table struct {
	Frameworks []framework.Variant
	References []framework.Variant
	Workloads  []workload.Workload
	Others     []Other
	GoMod      []byte
}

// Other is a message that Message sends instead of the bench message. It has the fields of
// suite.Other in the same order.
type Other struct {
	Name       string
	Frameworks func() []framework.Variant
	References func() []framework.Variant
}

// sending returns the table of the variants that send a message: t itself for the bench
// message, and for a name that is not among the others.
func (t Table) sending(name string) Table {
	i := slices.IndexFunc(t.Others, func(o Other) bool { return o.Name == name })
	if i < 0 {
		return t
	}
	t.Frameworks, t.References = t.Others[i].Frameworks(), nil
	if references := t.Others[i].References; references != nil {
		t.References = references()
	}
	return t
}

// names are the values of -msg.
func (t Table) names() []string {
	names := []string{plan.BenchMessage}
	for _, o := range t.Others {
		names = append(names, o.Name)
	}
	return names
}

// linked returns all variants that can be measured.
func (t Table) linked() []framework.Variant { return slices.Concat(t.Frameworks, t.References) }

// frameworks counts those that are measured for their own sake.
func (t Table) frameworks() int {
	names := map[string]bool{}
	for _, v := range t.Frameworks {
		names[v.Framework] = true
	}
	return len(names)
}

// Flags holds all flags of the suite; package testing adds its own. They are written
// with = and after the package: go test -bench X . -conc=100,1000
type Flags struct {
	Options  *plan.Options
	Settings Settings

	table      Table
	benchmarks []*plan.Benchmark
	own        *flag.FlagSet // all of them
}

// Benchmarks lists new benchmarks, with flags of their own, in the order of the output.
type Benchmarks func(*Settings) []*plan.Benchmark

// NewFlags returns the flags with their defaults.
func NewFlags(t Table, list Benchmarks) *Flags {
	f := &Flags{Options: plan.NewOptions(), table: t, own: flag.NewFlagSet("", flag.ContinueOnError)}
	f.Settings.Servers.Work = work.New(t.Workloads)
	f.benchmarks = list(&f.Settings)
	f.Options.Register(f.own)
	f.Settings.register(f.own)
	for _, b := range f.benchmarks {
		if b.Flags != nil {
			b.Flags(f.own)
		}
	}
	return f
}

// Register registers the flags.
func (f *Flags) Register(fs *flag.FlagSet) {
	f.own.VisitAll(func(one *flag.Flag) { fs.Var(one.Value, one.Name, one.Usage) })
}

// Check returns an error if a parsed flag has a wrong value or does not go with
// another. It passes to the settings what they need of the other flags.
func (f *Flags) Check() error {
	if err := plan.FlagErr(f.own); err != nil {
		return err
	}
	if err := f.Settings.Ranks.Check(f.Options, f.Settings.Machines.Host, f.Settings.Listing); err != nil {
		return err
	}
	if err := f.choose(); err != nil {
		return err
	}
	f.Settings.Agents.Clients, f.Settings.Agents.Flags = f.Options.Clients, f.values()
	return f.Settings.check(f.Options)
}

// choose chooses the table of -msg.
func (f *Flags) choose() error {
	name, err := plan.OneOf(f.table.names()...)(f.Options.Message)
	if err != nil {
		return fmt.Errorf("-msg: %w", err)
	}
	all := plan.FrameworksOf(f.table.Frameworks)
	f.table = f.table.sending(name)
	send := plan.FrameworksOf(f.table.Frameworks)
	f.Options.Unsent = slices.DeleteFunc(all, func(name string) bool { return slices.Contains(send, name) })
	return nil
}

// Plan makes the plan that the flags ask for.
func (f *Flags) Plan() (*plan.Plan, error) {
	f.Options.Files, f.Options.Steady, f.Options.Lookup = files.Limit(), link.Steady(), f.own.Lookup
	f.Options.Compressible, f.Options.CallTimeout = f.Settings.Load.Compressible(), f.Settings.Load.CallTimeout
	variants := f.table.Frameworks
	if f.Options.References {
		variants = f.table.linked()
	}
	c := &f.Settings.certificates
	own := c.made == nil // an agent has a client's alone
	if err := c.ready(); err != nil {
		return nil, fmt.Errorf("-certs=%s: %w", c.dir, err)
	}
	f.Settings.Agents.Certs, f.Options.Certificates = c.made, c.made
	if f.Options.Given() && c.dir == "" {
		f.Options.Certificates = nil // their servers' authority is not the one made at start
	}
	p, err := plan.New(f.Options, variants, f.benchmarks)
	if err == nil && own {
		err = p.CheckCertificates(c.made)
	}
	if err != nil {
		return nil, err
	}
	f.Settings.layered = slices.ContainsFunc(p.Targets, func(t plan.Target) bool { return t.With+t.Metadata+t.Chain != "" })
	return p, f.Settings.Load.Retry.Check(p.Selected())
}

// Refers reports whether a variant is one of the references.
func (f *Flags) Refers(v framework.Variant) bool {
	v.Window, v.With = "", "" // which -window and -with may have added
	return slices.ContainsFunc(f.table.References, func(r framework.Variant) bool { return r.ID() == v.ID() })
}

// Has reports whether the table has a variant, which the flags may leave out.
func (f *Flags) Has(id string) bool {
	return slices.ContainsFunc(f.table.Frameworks, func(v framework.Variant) bool { return v.ID() == id })
}

// values returns the flags as texts, by name, without lists that were not given.
func (f *Flags) values() map[string]string {
	values := map[string]string{}
	f.own.VisitAll(func(one *flag.Flag) {
		if l, ok := one.Value.(interface{ Given() bool }); !ok || l.Given() {
			values[one.Name] = one.Value.String()
		}
	})
	return values
}

// set sets the flags to texts that values returned.
func (f *Flags) set(values map[string]string) error {
	for name, value := range values {
		if err := f.own.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}
