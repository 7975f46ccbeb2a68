package cpus

import (
	"fmt"
	"math"
	"slices"
)

// describe says which cores both sides have, and why the others are left out.
func (t Topology) describe(h halves) string {
	if !t.told {
		return fmt.Sprintf("%d CPUs each, by their numbers: the machine does not tell its cores", len(cpusOf(h.server)))
	}
	both := slices.Concat(h.server, h.client)
	text := h.size() + t.where(h)
	for _, out := range []struct {
		cpus Set
		why  string
	}{
		{cpusOf(t.cores).minus(cpusOf(h.kind)), "another kind of core"},
		{cpusOf(outside(h.kind, both)), "another node"},
		{cpusOf(inside(h.kind, both)).minus(cpusOf(both)), t.whyLeft(h)},
	} {
		if len(out.cpus) > 0 {
			text += fmt.Sprintf("; without %s (%s)", out.cpus, out.why)
		}
	}
	return text
}

// size says how many cores a side has.
func (h halves) size() string {
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

// whyLeft says why CPUs of the same kind and node are left out.
func (t Topology) whyLeft(h halves) string {
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

func round(x float64) float64 { return math.Round(100*x) / 100 }
