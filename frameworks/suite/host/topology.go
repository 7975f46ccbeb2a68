package host

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Topology is what the machine tells of the CPUs that a process may use.
type Topology struct {
	cores []core  // in the order of their first CPUs
	told  bool    // the machine tells which CPUs share a core
	quota float64 // CPUs that the process may use on average; 0 for no limit
}

// core is a core of a processor.
type core struct {
	threads CPUSet // its CPUs, also those that the process may not use
	free    CPUSet // those that it may use
	node    int    // of the memory; -1 if it is not known
	kind    string // as the kernel names it on hybrid processors, "" on others
	speed   int    // in a unit that all cores of the machine have; 0 if it is not known
}

// unknownNode is the node of a CPU where the machine does not tell it.
const unknownNode = -1

// Directories below root.
const (
	devices = "sys/devices"
	cpuDir  = devices + "/system/cpu"
)

// ReadTopology reads what Linux tells below root, which is /, of the available CPUs.
// What it does not tell, as in some virtual machines, stays unknown: a CPU is then
// taken for a core.
func ReadTopology(root fs.FS, available CPUSet) Topology {
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
			c.threads = CPUSet{cpu}
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

// kernel reads files of the kernel.
type kernel struct{ root fs.FS }

// text returns a file's text; "" if it cannot be read.
func (k kernel) text(file string) string {
	text, _ := fs.ReadFile(k.root, file)
	return strings.TrimSpace(string(text))
}

// cpus returns the CPUs that a file lists; none if it cannot be read.
func (k kernel) cpus(file string) CPUSet {
	set, _ := ParseCPUs(k.text(file))
	return set
}

// number returns the number in a file; 0 if it cannot be read.
func (k kernel) number(file string) int {
	n, _ := strconv.Atoi(k.text(file))
	return n
}

func (k kernel) ofCPU(cpu int, file string) string {
	return path.Join(cpuDir, "cpu"+strconv.Itoa(cpu), file)
}

// siblings returns the CPUs of a CPU's core; none if it is not told. Kernels before
// 5.3 know the second name only.
func (k kernel) siblings(cpu int) CPUSet {
	set := k.cpus(k.ofCPU(cpu, "topology/core_cpus_list"))
	if len(set) == 0 {
		set = k.cpus(k.ofCPU(cpu, "topology/thread_siblings_list"))
	}
	return set
}

// nodes returns the node of each CPU.
func (k kernel) nodes() map[int]int {
	of := map[int]int{}
	files, _ := fs.Glob(k.root, devices+"/system/node/node*/cpulist") // the pattern is right
	for _, file := range files {
		node, err := strconv.Atoi(strings.TrimPrefix(path.Base(path.Dir(file)), "node"))
		if err != nil {
			continue
		}
		for _, cpu := range k.cpus(file) {
			of[cpu] = node
		}
	}
	return of
}

// kinds returns the kind of each CPU of a hybrid processor by Intel.
func (k kernel) kinds() map[int]string {
	of := map[int]string{}
	for _, kind := range []string{"cpu_core", "cpu_atom", "cpu_lowpower"} {
		for _, cpu := range k.cpus(path.Join(devices, kind, "cpus")) {
			of[cpu] = kind
		}
	}
	return of
}

// speeds returns the speed of each CPU: its capacity where that differs between CPUs,
// since it knows more than the frequency, and else its highest frequency.
func (k kernel) speeds(available CPUSet) map[int]int {
	capacities, frequencies := map[int]int{}, map[int]int{}
	differ := false
	for _, cpu := range available {
		capacities[cpu] = k.number(k.ofCPU(cpu, "cpu_capacity"))
		frequencies[cpu] = k.number(k.ofCPU(cpu, "cpufreq/cpuinfo_max_freq"))
		differ = differ || capacities[cpu] != capacities[available[0]]
	}
	if differ {
		return capacities
	}
	return frequencies
}

// alike is the least speed of a core, as a part of the fastest one's, with which both
// are of one kind. Single cores of a kind may be a few percent faster than the others.
const alike = 0.9

// kinds groups cores of one kind, the fastest kind first.
func kinds(cores []core) (groups [][]core) {
	sorted := slices.Clone(cores)
	slices.SortStableFunc(sorted, func(a, b core) int { return cmp.Compare(b.speed, a.speed) })
	for _, c := range sorted {
		same := func(g []core) bool { return c.likes(g[0]) }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], c)
		} else {
			groups = append(groups, []core{c})
		}
	}
	return groups
}

// likes reports whether c is of the kind of a core that is at least as fast.
func (c core) likes(faster core) bool {
	return c.kind == faster.kind && len(c.threads) == len(faster.threads) && float64(c.speed) >= alike*float64(faster.speed)
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

// nodesOf returns the numbers of the nodes of cores, without unknownNode.
func nodesOf(cores []core) CPUSet {
	var list CPUSet
	for _, c := range cores {
		if c.node != unknownNode {
			list = append(list, c.node)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// cpusOf returns the CPUs of cores that the process may use.
func cpusOf(cores []core) (set CPUSet) {
	for _, c := range cores {
		set = append(set, c.free...)
	}
	slices.Sort(set)
	return set
}
