package loadgen

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// readContention reads /proc/stat: some 50 µs, outside of the run.
func readContention(at time.Duration) contention {
	var set unix.CPUSet
	var used unix.Rusage
	text, err := os.ReadFile("/proc/stat")
	if err != nil || unix.SchedGetaffinity(0, &set) != nil || unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return contention{}
	}
	c := contention{known: true, at: at, own: time.Duration(used.Utime.Nano() + used.Stime.Nano())}
	for line := range strings.Lines(string(text)) {
		c.addCPU(strings.Fields(line), &set)
	}
	return c
}

// addCPU adds a line "cpu7 user nice system idle iowait irq softirq steal …",
// in hundredths of a second, if the CPU is of the set. Interrupts are nobody's.
func (c *contention) addCPU(fields []string, set *unix.CPUSet) {
	if len(fields) < 9 {
		return
	}
	name, isCPU := strings.CutPrefix(fields[0], "cpu")
	number, err := strconv.Atoi(name)
	if !isCPU || err != nil || !set.IsSet(number) {
		return
	}
	c.cpus++
	c.busy += ticks(fields[1]) + ticks(fields[2]) + ticks(fields[3])
	c.idle += ticks(fields[4]) + ticks(fields[5])
	c.stolen += ticks(fields[8])
}

func ticks(s string) time.Duration {
	n, _ := strconv.ParseInt(s, 10, 64) // the kernel writes numbers
	return time.Duration(n) * 10 * time.Millisecond
}
