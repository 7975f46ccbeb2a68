package cpus

import (
	"cmp"
	"slices"
)

// core is a core of a processor.
type core struct {
	threads Set    // its CPUs, also those that the process may not use
	free    Set    // those that it may use
	node    int    // of the memory; -1 if it is not known
	kind    string // as the kernel names it on hybrid processors, "" on others
	speed   int    // in a unit that all cores of the machine have; 0 if it is not known
}

// unknownNode is the node of a CPU where the machine does not tell it.
const unknownNode = -1

// with returns the core with some of its CPUs.
func (c core) with(free Set) core {
	c.free = free
	return c
}

// leastOfKind is the least speed of a core, as a part of the fastest one's, with which both
// are of one kind. Single cores of a kind may be a few percent faster than the others.
const leastOfKind = 0.9

// kinds groups cores of one kind, the fastest kind first.
func kinds(cores []core) (groups [][]core) {
	sorted := slices.Clone(cores)
	slices.SortStableFunc(sorted, func(a, b core) int { return cmp.Compare(b.speed, a.speed) })
	for _, c := range sorted {
		same := func(g []core) bool { return c.sameKind(g[0]) }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], c)
		} else {
			groups = append(groups, []core{c})
		}
	}
	return groups
}

// sameKind reports whether c is of the kind of a core that is at least as fast.
func (c core) sameKind(faster core) bool {
	return c.kind == faster.kind && len(c.threads) == len(faster.threads) && float64(c.speed) >= leastOfKind*float64(faster.speed)
}

// byNode groups cores by their nodes, in the order of these.
func byNode(cores []core) [][]core { return grouped(cores, func(c core) int { return c.node }) }

// grouped groups cores of one key, the least key first. Cores of a group keep their
// order.
func grouped(cores []core, key func(core) int) (groups [][]core) {
	sorted := slices.SortedStableFunc(slices.Values(cores), func(a, b core) int { return cmp.Compare(key(a), key(b)) })
	for i, c := range sorted {
		if i == 0 || key(c) != key(sorted[i-1]) {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], c)
	}
	return groups
}

// byCPUs groups cores by how many CPUs they have for this process, those with the most
// first, and in the order of their CPUs.
func byCPUs(cores []core) [][]core {
	inOrder := slices.SortedStableFunc(slices.Values(cores), func(a, b core) int { return a.free[0] - b.free[0] })
	return grouped(inOrder, func(c core) int { return -len(c.free) })
}

// nodesOf returns the numbers of the nodes of cores, without unknownNode.
func nodesOf(cores []core) Set {
	var list Set
	for _, c := range cores {
		if c.node != unknownNode {
			list = append(list, c.node)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// cpusOf returns the CPUs of cores that the process may use.
func cpusOf(cores []core) (set Set) {
	for _, c := range cores {
		set = append(set, c.free...)
	}
	slices.Sort(set)
	return set
}
