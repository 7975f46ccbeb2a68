package cpu

import (
	"math/bits"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Read reads /proc/stat, which takes some 50 µs, and milliseconds on a
// machine of hundreds of CPUs. It is called before and after a run, and during a
// run only by givesWay.
func Read(at time.Duration) Usage {
	var used syscall.Rusage
	set, known := allowedCPUs()
	text, err := os.ReadFile("/proc/stat")
	if err != nil || !known || syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return Usage{}
	}
	c := Usage{Known: true, At: at, Own: time.Duration(used.Utime.Nano() + used.Stime.Nano())}
	for line := range strings.Lines(string(text)) {
		c.addCPU(strings.Fields(line), &set)
	}
	return c
}

// cpuSet is the kernel's set of CPUs: a bit for each of 8,192.
type cpuSet [8192 / bits.UintSize]uint

func (s *cpuSet) has(cpu int) bool {
	return cpu >= 0 && cpu < len(s)*bits.UintSize && s[cpu/bits.UintSize]>>(cpu%bits.UintSize)&1 != 0
}

// allowedCPUs are the CPUs that the calling thread may use.
func allowedCPUs() (set cpuSet, known bool) {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
	return set, errno == 0
}

// addCPU adds a line "cpu7 user nice system idle iowait irq softirq steal …",
// in hundredths of a second, if the CPU is in the set. Time in interrupts is left
// out, since it belongs to no process.
func (c *Usage) addCPU(fields []string, set *cpuSet) {
	if len(fields) < 9 {
		return
	}
	name, isCPU := strings.CutPrefix(fields[0], "cpu")
	number, err := strconv.Atoi(name)
	if !isCPU || err != nil || !set.has(number) {
		return
	}
	c.CPUs++
	c.Busy += ticks(fields[1]) + ticks(fields[2]) + ticks(fields[3])
	c.Idle += ticks(fields[4]) + ticks(fields[5])
	c.Stolen += ticks(fields[8])
}

func ticks(s string) time.Duration {
	n, _ := strconv.ParseInt(s, 10, 64) // the kernel writes numbers
	return time.Duration(n) * 10 * time.Millisecond
}
