package machine

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

// files has the text of each file of a machine, by its path.
type files map[string]string

func (f files) root() fstest.MapFS {
	root := fstest.MapFS{}
	for path, text := range f {
		root[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

// blocks adds n blocks of 128 MiB.
func (f files) blocks(n int) files {
	f["sys/devices/system/memory/block_size_bytes"] = "8000000\n"
	for i := range n {
		f[fmt.Sprintf("sys/devices/system/memory/memory%d/online", i)] = "1\n"
	}
	return f
}

const (
	cpuinfo = "processor\t: 0\nmodel name\t: A CPU\nflags\t\t: fpu sse%s avx\nbugs\t\t: spectre_v1\n\nprocessor\t: 1\nflags\t\t: hypervisor\n"
	dmi     = "sys/class/dmi/id/"
	cpus    = "sys/devices/system/cpu/"
)

var (
	metal   = fmt.Sprintf(cpuinfo, "")
	virtual = fmt.Sprintf(cpuinfo, " hypervisor")
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		about string
		files files
		key   string
		want  string
	}{
		{"the release of the kernel", files{"proc/sys/kernel/osrelease": "6.18.44\n"}, "kernel", "6.18.44"},
		{"what TCP does about loss", files{"proc/sys/net/ipv4/tcp_congestion_control": "cubic\n"}, "congestion", "cubic"},
		{"blocks of memory are whole", files{"proc/meminfo": "MemTotal:       24684084 kB\n"}.blocks(192), "memory", "24 GiB"},
		{"half a GiB is rounded up", files{}.blocks(4), "memory", "1 GiB"},
		{"without blocks it is what the kernel left", files{"proc/meminfo": "MemTotal:       24684084 kB\nMemFree: 1 kB\n"}, "memory", "24 GiB"},
		{"another boot left some MiB less", files{"proc/meminfo": "MemTotal:       24666084 kB\n"}, "memory", "24 GiB"},
		{"blocks of no size are none", files{"sys/devices/system/memory/memory0/online": "1", "proc/meminfo": "MemTotal: 1 kB"}, "memory", "1 GiB"},
		{"a memory that is no number is not told", files{"proc/meminfo": "MemTotal: much\n"}, "memory", ""},
		{"nor is one that cannot be", files{"proc/meminfo": "MemTotal: 1e300 kB\n"}, "memory", ""},
		{"nor is a negative one", files{"proc/meminfo": "MemTotal: -5 kB\n"}, "memory", ""},
		{"bare metal", files{"proc/cpuinfo": metal, dmi + "sys_vendor": "Dell Inc."}, "hypervisor", "none"},
		{"a virtual machine is named by what it shows", files{"proc/cpuinfo": virtual, dmi + "sys_vendor": "Amazon EC2\n", dmi + "product_name": "c7i.large\n"}, "hypervisor", "Amazon EC2 c7i.large"},
		{"by a part of it", files{"proc/cpuinfo": virtual, dmi + "product_name": "VirtualBox\n"}, "hypervisor", "VirtualBox"},
		{"by its kind", files{"proc/cpuinfo": virtual, "sys/hypervisor/type": "xen\n"}, "hypervisor", "xen"},
		{"by its clock", files{"proc/cpuinfo": virtual, "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc kvm-clock \n"}, "hypervisor", "KVM"},
		{"or not at all", files{"proc/cpuinfo": virtual}, "hypervisor", unnamed},
		{"a host of others has a kind", files{"proc/cpuinfo": metal, "sys/hypervisor/type": "xen\n"}, "hypervisor", "xen"},
		{"other processors do not tell", files{"proc/cpuinfo": "processor : 0\nFeatures : fp asimd\n", dmi + "sys_vendor": "QEMU"}, "hypervisor", ""},
		{"a file without CPUs does not tell", files{"proc/cpuinfo": ""}, "hypervisor", ""},
		{"one governor", files{cpus + "cpu0/cpufreq/scaling_governor": "performance\n", cpus + "cpu1/cpufreq/scaling_governor": "performance\n"}, "governor", "performance"},
		{"two governors", files{cpus + "cpu0/cpufreq/scaling_governor": "schedutil\n", cpus + "cpu9/cpufreq/scaling_governor": "performance\n"}, "governor", "performance and schedutil"},
		{"one that is not named is none", files{cpus + "cpu0/cpufreq/scaling_governor": "\n"}, "governor", ""},
		{"other directories have none", files{cpus + "cpufreq/policy0/scaling_governor": "performance\n"}, "governor", ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			value, told := read(c.files.root())[c.key]
			assert.Equal(t, c.want, value)
			assert.Equal(t, c.want != "", told)
		})
	}
	assert.Empty(t, read(files{}.root()), "a system that tells nothing")
}

// A file may have no end, or be a directory.
func TestWhatIsReadIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	assert.Len(t, read(files{"proc/sys/kernel/osrelease": long}.root())["kernel"], mostText)
	assert.Equal(t, "none", read(files{"proc/cpuinfo": metal + long}.root())["hypervisor"])
	assert.Empty(t, read(files{"proc/sys/kernel/osrelease/x": "a directory"}.root()))
}

func TestHere(t *testing.T) {
	here := Here()
	assert.Equal(t, here, Here(), "twice the same")
	if runtime.GOOS == "linux" {
		assert.Regexp(t, `^\d+\.\d+`, here["kernel"])
		assert.Regexp(t, `^\d+ GiB$`, here["memory"])
	}
}
