package cpus

import (
	"io/fs"
	"slices"
)

// Topology is what the machine tells of the CPUs that a process may use.
type Topology struct {
	cores []core  // in the order of their first CPUs
	told  bool    // the machine tells which CPUs share a core
	quota float64 // CPUs that the process may use on average; 0 for no limit
}

// ReadTopology reads what Linux tells below root, which is /, of the available CPUs.
// What it does not tell, as in some virtual machines, stays unknown: a CPU is then
// taken for a core.
func ReadTopology(root fs.FS, available Set) Topology {
	k := kernel{root}
	t := Topology{quota: readQuota(k)}
	nodes, kinds, speeds := k.nodes(), k.kinds(), k.speeds(available)
	seen := map[int]bool{}
	for _, cpu := range available {
		if seen[cpu] {
			continue
		}
		c := core{threads: k.siblings(cpu), node: unknownNode, kind: kinds[cpu], speed: speeds[cpu]}
		t.told = t.told || c.threads != nil
		if !slices.Contains(c.threads, cpu) {
			c.threads = Set{cpu}
		}
		for _, sibling := range c.threads {
			if slices.Contains(available, sibling) && !seen[sibling] {
				c.free, seen[sibling] = append(c.free, sibling), true
			}
		}
		if node, known := nodes[cpu]; known {
			c.node = node
		}
		t.cores = append(t.cores, c)
	}
	return t
}
