package cpus

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Directories below root.
const (
	devices = "sys/devices"
	cpuDir  = devices + "/system/cpu"
)

// kernel reads files of the kernel.
type kernel struct{ root fs.FS }

// text returns a file's text; "" if it cannot be read.
func (k kernel) text(file string) string {
	text, _ := fs.ReadFile(k.root, file)
	return strings.TrimSpace(string(text))
}

// cpus returns the CPUs that a file lists; none if it cannot be read.
func (k kernel) cpus(file string) Set {
	set, _ := Parse(k.text(file))
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
func (k kernel) siblings(cpu int) Set {
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
func (k kernel) speeds(available Set) map[int]int {
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
