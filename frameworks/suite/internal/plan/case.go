package plan

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/spread"
)

// Case is a leaf of one variant over one network: a line of the output. In its
// Spec, unlike the Leaf's, Conns and Servers are never 0.
type Case struct {
	Benchmark *Benchmark
	Target
	Network
	Spec
	Leaf Leaf

	Cores        Cores         // of the server
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
	if c.Cores.Number > 0 {
		keys += "/cores=" + c.Cores.String()
	}
	if c.Compressible {
		keys += "/data=compressible"
	}
	if c.peer != "" {
		keys += "/peer=" + c.peer
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
	return slices.Contains([]string{"mode", "workload", "down"}, name) || name == "size" && strings.Contains(value, ":") && !spread.Is(value)
}

// Opens is the most connections that a case opens to each server.
func (c Case) Opens() int {
	if c.Sharing == framework.Pooled || c.Sharing == framework.Short {
		return c.Workers
	}
	return c.Conns
}

// unfit returns why the variant cannot carry the case's messages; nil if it can.
func (c Case) unfit() error {
	if c.Lacks != "" {
		return errors.New(c.Lacks)
	}
	return c.Fits(cmp.Or(c.Largest, c.Size))
}

// part names the cases that are left out together: all over the network, or those of the
// benchmark that have the same first key after the variant's.
func (c Case) part() string {
	if c.Network.carries(c.Variant) != "" {
		return "net=" + c.Network.Name
	}
	first, _, _ := strings.Cut(c.Spec.Keys, "/")
	return c.Benchmark.function() + ": " + first
}

func newCase(b *Benchmark, o *Options, t Target, n Network, cores Cores, l Leaf) Case {
	s := l.Common()
	s.Conns, s.Servers = cmp.Or(s.Conns, t.Variant.Conns, o.conns), cmp.Or(s.Servers, 1)
	s.Lacks = cmp.Or(n.carries(t.Variant), s.Lacks)
	if s.Streamed || s.Streams > 0 {
		s.Lacks = cmp.Or(ofCalls(t.Keys), s.Lacks)
	}
	c := Case{Benchmark: b, Target: t, Network: n, Spec: s, Leaf: l, Cores: cores, Compressible: o.Compressible && !s.OwnData, slows: !o.Steady}
	if !s.Endless {
		c.Timeout = o.CallTimeout
	}
	c.Base, c.Rest = c.base(), c.rest()
	return c
}

// allCases are the cases of a benchmark, of which some may have the same name.
func allCases(b *Benchmark, o *Options, all []Target) (list []Case) {
	for _, t := range all {
		if t.Window != "" && !b.Windowed || t.unserved() {
			continue
		}
		for _, n := range o.Networks.Values {
			if b.takes(n) != nil {
				continue
			}
			for _, cores := range o.coresOf(b) {
				for _, l := range b.Cases(o, t) {
					list = append(list, newCase(b, o, t, n, cores, l))
				}
			}
		}
	}
	return append(list, beside(b, o, all)...)
}

// coresOf are the cores of the cases of a benchmark; none if it is not measured by cores.
func (o *Options) coresOf(b *Benchmark) []Cores {
	switch {
	case len(o.Cores.Values) == 0:
		return []Cores{{}}
	case b.NoCores != "":
		return nil
	}
	return o.Cores.Values
}

func beside(b *Benchmark, o *Options, all []Target) (list []Case) {
	if b.Beside == nil {
		return nil
	}
	for _, n := range o.Networks.Values {
		t, leaves := b.Beside(n, all)
		for _, l := range leaves {
			list = append(list, newCase(b, o, t, n, Cores{}, l))
		}
	}
	return list
}

// Asked is how many connections a case opens to all its servers together.
type Asked struct{ Least, Most int }

// unbounded is the Most of a case that may open any number.
const unbounded = math.MaxInt

// Asked returns how many connections a case opens when this many clients share its
// callers and connections. Each client has one at least.
func (c Case) Asked(clients int) Asked {
	switch {
	case c.Sharing == framework.Short: // they are closed after their calls
		return Asked{0, c.Workers * c.Servers}
	case c.Sharing == framework.Pooled && c.Streamed:
		return Asked{c.streaming(clients), unbounded}
	case c.Sharing == framework.Pooled:
		return Asked{clients, c.Workers * c.Servers}
	}
	n := max(c.Conns/clients, 1) * clients * c.Servers
	return Asked{n, n}
}

// streaming is the least number of connections that streams have where calls have a pool.
// Streams may open connections of their own, which they close when they end.
func (c Case) streaming(clients int) int {
	if c.Endless || c.Streams > 0 { // they stay open
		return clients
	}
	return 0
}

// String is the number, or from the least to the most.
func (a Asked) String() string {
	switch a.Most {
	case a.Least:
		return fmt.Sprint(a.Most)
	case unbounded:
		return fmt.Sprintf("%d or more", a.Least)
	}
	return fmt.Sprintf("%d to %d", a.Least, a.Most)
}

// casesOf lists a benchmark's cases, grouped by Base.
func casesOf(b *Benchmark, o *Options, all []Target) []Case {
	return slices.Concat(grouped(allCases(b, o, all))...)
}

// grouped puts the cases of one Base together.
func grouped(cases []Case) (list [][]Case) {
	at := map[string]int{}
	for _, c := range cases {
		i, open := at[c.Base]
		if !open {
			i, at[c.Base] = len(list), len(list)
			list = append(list, nil)
		}
		list[i] = append(list[i], c)
	}
	return list
}
