package cpus

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Busy returns how long the given CPUs have worked for any process since the machine
// was started, without interrupts. The error says that the system does not tell it.
func Busy(cpus Set) (sum time.Duration, err error) {
	times, err := readTimes()
	for cpu, spent := range times {
		if slices.Contains(cpus, cpu) {
			sum += spent.busy
		}
	}
	return sum, err
}

// ReadSoftTimes returns what soft interrupts have taken on the given CPUs and on all
// others. The error says that the system does not tell it.
func ReadSoftTimes(cpus Set) (soft SoftTimes, err error) {
	times, err := readTimes()
	for cpu, spent := range times {
		if slices.Contains(cpus, cpu) {
			soft.Inside += spent.soft
		} else {
			soft.Outside += spent.soft
			soft.Others++
		}
	}
	return soft, err
}

// times are what a CPU has spent since the machine was started.
type times struct{ busy, soft time.Duration }

// readTimes reads the times of all CPUs.
func readTimes() (map[int]times, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return nil, err
	}
	return timesOf(string(text)), nil
}

func timesOf(text string) map[int]times {
	of := map[int]times{}
	for line := range strings.Lines(text) {
		name, values, _ := strings.Cut(line, " ")
		number, isCPU := strings.CutPrefix(name, "cpu")
		if cpu, err := strconv.Atoi(number); isCPU && err == nil {
			of[cpu] = timesIn(strings.Fields(values))
		}
	}
	return of
}

// timesIn reads "user nice system idle iowait irq softirq …", whose unit is a hundredth of
// a second.
func timesIn(fields []string) (t times) {
	for i, f := range fields {
		ticks, _ := strconv.ParseInt(f, 10, 64) // the kernel writes only numbers here
		spent := time.Duration(ticks) * 10 * time.Millisecond
		switch {
		case i < 3:
			t.busy += spent
		case i == 6:
			t.soft = spent
		}
	}
	return t
}
