package host

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// halves are cores for both sides.
type halves struct {
	server, client []core
	kind           []core // those of the kind that was chosen
	limited        bool   // by a quota of CPU time
	doubts         []string
}

// halve gives both sides equal parts of the cores. There must be two CPUs at least.
func (t Topology) halve() Pinning {
	h := t.choose()
	h.limit(t.quota)
	p := Pinning{Server: cpusOf(h.server), Client: cpusOf(h.client), Doubts: h.doubts}
	p.Cores = t.describe(h)
	return p
}

// choose takes the cores of one kind and one node: the fastest kind of which there are
// two cores, and the node with the most of them. With several kinds chance would decide
// on which one a call runs, and their CPU times cannot be compared.
func (t Topology) choose() halves {
	for _, kind := range kinds(t.cores) {
		best := halves{}
		for _, node := range byNode(kind) {
			if h := deal(node); len(cpusOf(h.server)) > len(cpusOf(best.server)) {
				best = h
			}
		}
		if len(best.server) == 0 {
			best = deal(kind)
		}
		if len(best.server) > 0 {
			best.kind = kind
			return best
		}
	}
	return t.last()
}

// last divides cores of which no two are of one kind: the threads of a single core,
// else one CPU of each of the first two cores.
func (t Topology) last() halves {
	h := halves{kind: t.cores}
	if len(t.cores) == 1 {
		only := t.cores[0]
		half := len(only.free) / 2
		h.server, h.client = []core{only.with(only.free[:half])}, []core{only.with(only.free[half : 2*half])}
		return h
	}
	first, second := t.cores[0], t.cores[1]
	h.server, h.client = []core{first.with(first.free[:1])}, []core{second.with(second.free[:1])}
	h.doubts = []string{"server and client have cores of different kinds: one side is slower by its core"}
	return h
}

// with returns the core with some of its CPUs.
func (c core) with(free CPUSet) core {
	c.free = free
	return c
}

// deal gives both sides the same number of cores. Each core has a partner on the other
// side with as many CPUs, and a core without a partner is left out. Where no core has a
// partner, each side gets one CPU of a core.
func deal(cores []core) (h halves) {
	if len(cores) < 2 {
		return h
	}
	for _, same := range byCPUs(cores) {
		half := len(same) / 2
		h.server, h.client = append(h.server, same[:half]...), append(h.client, same[half:2*half]...)
	}
	if len(h.server) == 0 {
		h.server, h.client = []core{cores[0].with(cores[0].free[:1])}, []core{cores[1].with(cores[1].free[:1])}
	}
	return h
}

// byCPUs groups cores by how many CPUs they have for this process, those with the most
// first, and in the order of their CPUs.
func byCPUs(cores []core) [][]core {
	inOrder := slices.SortedStableFunc(slices.Values(cores), func(a, b core) int { return a.free[0] - b.free[0] })
	return grouped(inOrder, func(c core) int { return -len(c.free) })
}

// limit takes CPUs from both sides until a quota suffices for them, but leaves one to
// each.
func (h *halves) limit(quota float64) {
	if n := len(cpusOf(h.server)); quota > 0 && quota < float64(2*n) {
		each := max(int(quota/2), 1)
		h.limited = each < n
		h.server, h.client = firstOf(h.server, each), firstOf(h.client, each)
	}
}

// firstOf returns cores with n CPUs together.
func firstOf(cores []core, n int) (list []core) {
	for _, c := range cores {
		if n <= 0 {
			break
		}
		list = append(list, c.with(c.free[:min(len(c.free), n)]))
		n -= len(c.free)
	}
	return list
}

// describe says which cores both sides have, and why the others are left out.
func (t Topology) describe(h halves) string {
	if !t.told {
		return fmt.Sprintf("%d CPUs each, by their numbers: the machine does not tell its cores", len(cpusOf(h.server)))
	}
	both := slices.Concat(h.server, h.client)
	text := h.count() + t.where(h)
	for _, out := range []struct {
		cpus CPUSet
		why  string
	}{
		{cpusOf(t.cores).minus(cpusOf(h.kind)), "another kind of core"},
		{cpusOf(outside(h.kind, both)), "another node"},
		{cpusOf(inside(h.kind, both)).minus(cpusOf(both)), t.rest(h)},
	} {
		if len(out.cpus) > 0 {
			text += fmt.Sprintf("; without %s (%s)", out.cpus, out.why)
		}
	}
	return text
}

// count says how many cores a side has.
func (h halves) count() string {
	n, cpus := len(h.server), len(cpusOf(h.server))
	switch threads := len(h.server[0].threads) * n; {
	case slices.Equal(h.server[0].threads, h.client[0].threads):
		return fmt.Sprintf("half of one core each, %d of its CPUs", cpus)
	case cpus == threads:
		return fmt.Sprintf("%s each", plural(n, "whole core"))
	default:
		return fmt.Sprintf("%s each, %d of their %d CPUs", plural(n, "core"), cpus, threads)
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// where names the nodes of both sides, if the machine has several.
func (t Topology) where(h halves) string {
	server, client := nodesOf(h.server), nodesOf(h.client)
	switch {
	case len(nodesOf(t.cores)) < 2:
		return ""
	case len(server) == 1 && slices.Equal(server, client):
		return ", of node " + server.String()
	}
	return fmt.Sprintf(", of node %s and of node %s", server, client)
}

// rest says why CPUs of the same kind and node are left out.
func (t Topology) rest(h halves) string {
	if h.limited {
		return fmt.Sprintf("a quota of %g CPUs", round(t.quota))
	}
	return "so that both sides are alike"
}

// inside returns the cores on nodes of others, and outside those on no such node.
func inside(cores, others []core) []core {
	nodes := nodesOf(others)
	return slices.DeleteFunc(slices.Clone(cores), func(c core) bool { return c.node != unknownNode && !slices.Contains(nodes, c.node) })
}

func outside(cores, others []core) []core {
	nodes := nodesOf(others)
	return slices.DeleteFunc(slices.Clone(cores), func(c core) bool { return c.node == unknownNode || slices.Contains(nodes, c.node) })
}

// doubts says what is wrong with a pinning.
func (t Topology) doubts(p Pinning, available CPUSet) (list []string) {
	if shared := t.shared(p); len(shared) > 0 {
		list = append(list, fmt.Sprintf("server and client share the core of CPUs %s: each slows the other", strings.Join(shared, " and that of ")))
	}
	used := slices.Concat(p.Server, p.Client)
	if !p.Pinned() {
		used = available
	}
	if t.quota > 0 && t.quota < float64(len(used)) {
		list = append(list, fmt.Sprintf("a quota of %g CPUs is less than the %d of both sides, and holds back whichever runs when it is used up", round(t.quota), len(used)))
	}
	return list
}

func round(x float64) float64 { return math.Round(100*x) / 100 }

// shared lists the CPUs of cores that both sides use.
func (t Topology) shared(p Pinning) (list []string) {
	for _, c := range t.cores {
		server, client := c.threads.minus(p.Server), c.threads.minus(p.Client)
		if len(server) < len(c.threads) && len(client) < len(c.threads) {
			list = append(list, c.threads.String())
		}
	}
	return list
}
