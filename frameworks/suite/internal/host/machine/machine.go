// Package machine describes the machine of this process beyond its processor, as far
// as the system tells. Times and counts of two kernels, hypervisors or governors may
// differ although the code is the same.
package machine

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Here describes this machine by the keys of its configuration lines. What the system
// does not tell is absent:
//
//   - kernel is its release, as in "6.12.48".
//   - memory is that of the machine, in GiB, which two boots have in common.
//   - hypervisor names what runs the machine, or is "none" on bare metal.
//   - congestion is how TCP adapts to a network, as "cubic": it decides what loss costs.
//   - governor is how the frequency of the CPUs is chosen; of several governors all.
func Here() map[string]string {
	here := fromSystem()
	maps.Copy(here, read(os.DirFS("/")))
	return here
}

// read reads what Linux tells below root, which is /.
func read(root fs.FS) map[string]string {
	k := kernel{root}
	about := map[string]string{
		"kernel": k.text("proc/sys/kernel/osrelease"), "memory": k.memory(),
		"hypervisor": k.hypervisor(), "governor": k.governor(),
		"congestion": k.text("proc/sys/net/ipv4/tcp_congestion_control"),
	}
	maps.DeleteFunc(about, func(_, value string) bool { return value == "" })
	return about
}

// kernel reads files of Linux.
type kernel struct{ root fs.FS }

// mostText bounds what is read of a file. Of a machine with many CPUs it is the first
// of them.
const mostText = 64 << 10

// text returns the words of a file; "" if it cannot be read.
func (k kernel) text(file string) string {
	f, err := k.root.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, mostText)) // of a file that cannot be read on, its beginning
	return strings.TrimSpace(string(text))
}

// memory is counted in the blocks in which Linux adds and removes memory. Where it does
// not tell them, it is what the kernel has left for others, up to the next GiB: what it
// keeps for itself differs from boot to boot, by less than a GiB.
func (k kernel) memory() string {
	blocks, _ := fs.Glob(k.root, "sys/devices/system/memory/memory[0-9]*") // the pattern is right
	size, _ := strconv.ParseUint(k.text("sys/devices/system/memory/block_size_bytes"), 16, 64)
	bytes := float64(len(blocks)) * float64(size)
	if bytes == 0 {
		kib, _ := strconv.ParseFloat(field(k.text("proc/meminfo"), "MemTotal"), 64)
		bytes = kib * (1 << 10)
	}
	return gibibytes(bytes)
}

// gibibytes rounds up to the next GiB; "" for 0.
func gibibytes(bytes float64) string {
	const gib = 1 << 30
	if !(0 < bytes && bytes < 1<<60) {
		return ""
	}
	return fmt.Sprintf("%d GiB", (int64(bytes)+gib-1)/gib)
}

// field returns the first word of the first line "key: word …"; "" for none.
func field(text, key string) string {
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, ":")
		if words := strings.Fields(rest); strings.TrimSpace(name) == key && len(words) > 0 {
			return words[0]
		}
	}
	return ""
}

// unnamed is a hypervisor that shows itself and not its name.
const unnamed = "not named"

// hypervisor is named by the machine that it shows, else by its kind. Processors other
// than those of x86 do not tell whether there is one.
func (k kernel) hypervisor() string {
	kind := k.text("sys/hypervisor/type")
	_, rest, told := strings.Cut(k.text("proc/cpuinfo"), "\nflags")
	flags, _, _ := strings.Cut(rest, "\n")
	switch {
	case slices.Contains(strings.Fields(flags), "hypervisor"):
		shown := strings.TrimSpace(k.text("sys/class/dmi/id/sys_vendor") + " " + k.text("sys/class/dmi/id/product_name"))
		return cmp.Or(shown, kind, k.clock(), unnamed)
	case told:
		return cmp.Or(kind, "none")
	}
	return kind
}

// clock names the hypervisor by the clock that it offers; "" for others.
func (k kernel) clock() string {
	clocks := k.text("sys/devices/system/clocksource/clocksource0/available_clocksource")
	for _, known := range [][2]string{{"kvm-clock", "KVM"}, {"hyperv", "Hyper-V"}, {"xen", "Xen"}} {
		if strings.Contains(clocks, known[0]) {
			return known[1]
		}
	}
	return ""
}

// governor lists the governors of all CPUs.
func (k kernel) governor() string {
	files, _ := fs.Glob(k.root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor") // the pattern is right
	var list []string
	for _, file := range files {
		if governor := k.text(file); governor != "" && !slices.Contains(list, governor) {
			list = append(list, governor)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " and ")
}
