package plan

import (
	"cmp"
	"flag"
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Benchmark is one benchmark over all variants.
type Benchmark struct {
	Name string // of its function in a package of benchmarks, without "Benchmark"
	// Cases are those of a variant. Of two of one name the first is measured.
	Cases func(o *Options, t Target) []Leaf
	// Beside are the cases of a program that has no adapter; nil for none.
	Beside func(o *Options, all []Target) (Target, []Leaf)

	// Flags registers the benchmark's own flags; nil: it has none.
	Flags func(fs *flag.FlagSet)
	// Check says what is wrong with their values; nil for nothing.
	Check func(o *Options, all []Target) error

	// Runs says why none of its cases can be run; nil for no reason.
	Runs func(o *Options) error

	// Keys are what a case's name has of its variant before its own keys; nil
	// for all that every variant has.
	Keys func(v framework.Variant) string
	// Reach is which networks it is measured over, and NamesNet says that net=
	// is one of its keys; in others it is optional.
	Reach    Reach
	NamesNet bool
	// Windowed says that variants with a Window are measured.
	Windowed bool
	// SkipsUnfit says that a variant has no case whose messages it cannot carry;
	// elsewhere to select such a case is an error.
	SkipsUnfit bool
	// OwnServers says what it does to servers that only this process can start;
	// "" for nothing.
	OwnServers string
}

// Function is the name of the benchmark's function.
func (b *Benchmark) Function() string { return "Benchmark" + b.Name }

// Leaf is a case of a benchmark for one variant. What the benchmark knows of it
// beyond the Spec is for those who measure it.
type Leaf interface{ Common() Spec }

// Spec is what all cases have.
type Spec struct {
	Keys     string // after the variant's, as in "size=1KiB/conc=100"
	Optional string // keys that come after the variant's optional ones, as in "/mode=oneway"
	Workers  int
	Size     int    // of the payload in bytes
	Largest  int    // message in bytes; 0: Size
	Conns    int    // of a shared transport; 0: as many as the options say
	Servers  int    // 0: one
	Workload string // that the servers are started with; "" for none
}

// Common implements Leaf.
func (s Spec) Common() Spec { return s }

// Case is a leaf of one variant over one network: a line of the output.
type Case struct {
	Benchmark *Benchmark
	Target
	Network
	Spec
	Leaf Leaf

	Base string // what the names of a variant's cases begin with
	Rest string // the keys after that
}

// Name is that of the line, without the number of procs.
func (c Case) Name() string { return c.Benchmark.Function() + "/" + c.Base + "/" + c.Rest }

// base is Base of a new case.
func (c Case) base() string {
	if c.Benchmark.Keys != nil {
		return c.Benchmark.Keys(c.Variant)
	}
	return c.Variant.Keys()
}

// rest is Rest of a new case.
func (c Case) rest() string {
	keys := c.Spec.Keys
	if c.Benchmark.NamesNet {
		keys += "/net=" + c.Network.Name
	}
	keys += c.Variant.OptionalKeys() + c.Optional
	if !c.Benchmark.NamesNet && !c.Direct() {
		keys += "/net=" + c.Network.Name
	}
	if c.Peer != "" {
		keys += "/peer=" + c.Peer
	}
	return keys
}

// Kind is what a server may have no handlers for: a benchmark, or a mode of it.
func (c Case) Kind() string {
	kind := c.Benchmark.Name
	for key := range strings.SplitSeq(c.Rest, "/") {
		if strings.HasPrefix(key, "mode=") {
			kind += "/" + key
		}
	}
	return kind + " of " + c.Place()
}

// Opens is the most connections that a case opens to each server.
func (c Case) Opens() int {
	if c.Sharing == framework.Pooled || c.Sharing == framework.Short {
		return c.Workers
	}
	return c.Conns
}

// unfit says that the variant cannot carry the case's messages.
func (c Case) unfit() error { return c.Fits(cmp.Or(c.Largest, c.Size)) }

// otherFiles is room for what a process opens besides connections.
const otherFiles = 100

// runs says why a case cannot be run.
func (c Case) runs(o *Options) error {
	if err := c.unfit(); err != nil {
		return err
	}
	if c.Benchmark.Runs != nil {
		if err := c.Benchmark.Runs(o); err != nil {
			return err
		}
	}
	if c.Workers < o.Clients {
		return fmt.Errorf("%d callers cannot be divided among -clients=%d", c.Workers, o.Clients)
	}
	files := c.Opens()*c.Servers + otherFiles
	if o.Files > 0 && files > o.Files {
		return fmt.Errorf("it opens %d connections, which with others takes %d files, and a process may open %d: raise the limit (ulimit -n) or lower -conc", c.Opens(), files, o.Files)
	}
	return nil
}

// allCases are the cases of a benchmark, of which some may have the same name.
func allCases(b *Benchmark, o *Options, all []Target) (list []Case) {
	for _, t := range all {
		if t.Window != "" && !b.Windowed || t.absent() {
			continue
		}
		for _, n := range o.Networks.Values {
			if b.Reach.takes(n) != nil {
				continue
			}
			for _, l := range b.Cases(o, t) {
				list = append(list, newCase(b, o, t, n, l))
			}
		}
	}
	return append(list, beside(b, o, all)...)
}

func beside(b *Benchmark, o *Options, all []Target) (list []Case) {
	if b.Beside == nil {
		return nil
	}
	t, leaves := b.Beside(o, all)
	for _, l := range leaves {
		list = append(list, newCase(b, o, t, AllNetworks()[0], l))
	}
	return list
}

func newCase(b *Benchmark, o *Options, t Target, n Network, l Leaf) Case {
	s := l.Common()
	s.Conns, s.Servers = cmp.Or(s.Conns, o.Conns), cmp.Or(s.Servers, 1)
	c := Case{Benchmark: b, Target: t, Network: n, Spec: s, Leaf: l}
	c.Base, c.Rest = c.base(), c.rest()
	return c
}
