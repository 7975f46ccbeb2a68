package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Case is a leaf of one variant over one network: a line of the output. In its
// Spec, unlike the Leaf's, Conns and Servers are never 0.
type Case struct {
	Benchmark *Benchmark
	Target
	Network
	Spec
	Leaf Leaf

	Timeout      time.Duration // of each call; 0 for none
	Compressible bool          // the payload is

	Base string // what the names of a variant's cases begin with
	Rest string // the keys after that

	slows bool // TCP slows down when packets are lost
}

// Name is the name of the line, without the number of procs.
func (c Case) Name() string { return c.Benchmark.function() + "/" + c.Base + "/" + c.Rest }

// base is Base of a new case.
func (c Case) base() string {
	if c.Benchmark.Keys != nil {
		return c.Benchmark.Keys(c.Variant)
	}
	return c.Variant.RequiredKeys()
}

// rest is Rest of a new case.
func (c Case) rest() string {
	keys := c.Spec.Keys
	if c.Benchmark.NamesNet {
		keys += "/net=" + c.Network.Name
	}
	keys += c.Variant.OptionalKeys() + c.Optional
	if c.Timeout > 0 {
		keys += "/timeout=" + c.Timeout.String()
	}
	if !c.Benchmark.NamesNet && !c.Direct() {
		keys += "/net=" + c.Network.Name
	}
	if c.Compressible {
		keys += "/data=compressible"
	}
	if c.Peer != "" {
		keys += "/peer=" + c.Peer
	}
	return keys
}

// Feature is what a server given by -server may lack: the benchmark, with those keys of
// the case that say what the server has to do.
func (c Case) Feature() string {
	kind := c.Benchmark.Name
	for key := range strings.SplitSeq(c.Rest, "/") {
		if asksMore(key) {
			kind += "/" + key
		}
	}
	return kind + " of " + c.Place()
}

// asksMore reports whether a key asks a server for more than its benchmark does.
func asksMore(key string) bool {
	name, value, _ := strings.Cut(key, "=")
	return slices.Contains([]string{"mode", "workload", "down"}, name) || name == "size" && strings.Contains(value, ":")
}

// Opens is the most connections that a case opens to each server.
func (c Case) Opens() int {
	if c.Sharing == framework.Pooled || c.Sharing == framework.Short {
		return c.Workers
	}
	return c.Conns
}

// unfit says that the variant cannot carry the case's messages.
func (c Case) unfit() error {
	if c.Lacks != "" {
		return errors.New(c.Lacks)
	}
	return c.Fits(cmp.Or(c.Largest, c.Size))
}

// part names the cases that lack the same: over a network, or of a benchmark those with
// the first key after the variant's.
func (c Case) part() string {
	if c.Network.carries(c.Variant) != "" {
		return "net=" + c.Network.Name
	}
	first, _, _ := strings.Cut(c.Spec.Keys, "/")
	return c.Benchmark.function() + ": " + first
}

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
		return fmt.Errorf("%d callers cannot be divided among %s", c.Workers, o.Together())
	}
	if o.Ranks > 1 && c.Network.Proxied() {
		return fmt.Errorf("%s: the proxy of net=%s is on the machine of rank 0, and the others cannot reach it", o.Together(), c.Network.Name)
	}
	if slowest := c.alone(); c.Within > 0 && slowest >= c.Within {
		return fmt.Errorf("over net=%s a call takes %v when there is no other, which meets no objective of %v: raise -slo", c.Network.Name, slowest.Round(100*time.Microsecond), c.Within)
	}
	if queue, payload := c.Line.Queue, max(c.Size, c.Largest); queue > 0 && payload > queue {
		return fmt.Errorf("a payload of %s is more than the %s that the queue of net=%s holds, which would drop what the line was not asked to lose: leave queue- out, or make it larger", FormatSize(payload), FormatSize(queue), c.Network.Name)
	}
	files := c.Opens()*c.Servers + otherFiles
	if o.Files > 0 && files > o.Files {
		return fmt.Errorf("it opens %d connections, which with others takes %d files, and a process may open %d: raise the limit (ulimit -n) or lower %s", c.Opens(), files, o.Files, c.workersFlag())
	}
	return nil
}

// workersFlag is the flag that the number of workers comes from.
func (c Case) workersFlag() string {
	switch {
	case c.Streams > 0:
		return "-streams"
	case c.Spec.Rate > 0 || c.Search > 0:
		return "-workers"
	}
	return "-conc"
}

func newCase(b *Benchmark, o *Options, t Target, n Network, l Leaf) Case {
	s := l.Common()
	s.Conns, s.Servers = cmp.Or(s.Conns, t.Variant.Conns, o.Conns), cmp.Or(s.Servers, 1)
	s.Lacks = cmp.Or(n.carries(t.Variant), s.Lacks)
	c := Case{Benchmark: b, Target: t, Network: n, Spec: s, Leaf: l, Compressible: o.Compressible && !s.OwnData, slows: !o.Steady}
	if !s.Endless {
		c.Timeout = o.CallTimeout
	}
	c.Base, c.Rest = c.base(), c.rest()
	return c
}

// allCases are the cases of a benchmark, of which some may have the same name.
func allCases(b *Benchmark, o *Options, all []Target) (list []Case) {
	for _, t := range all {
		if t.Window != "" && !b.Windowed || t.absent() {
			continue
		}
		for _, n := range o.Networks.Values {
			if b.takes(n) != nil {
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
		list = append(list, newCase(b, o, t, direct(), l))
	}
	return list
}
