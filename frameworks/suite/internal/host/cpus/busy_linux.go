package cpus

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Busy returns how long the given CPUs have worked for processes until now, which counts as
// the difference of two calls. The error says that the system does not tell it.
//
// It is what is left of their time: a kernel measures how long a CPU is idle, and only samples
// what a busy one does. Most kernels leave interrupts out of the CPU time of the process that
// they interrupt, and measure them. One that does not has no hard interrupts in its figures:
// then they count as work for processes, like in the figures of these.
func Busy(cpus Set) (time.Duration, error) {
	times, err := readTimes()
	if err != nil {
		return 0, err
	}
	return busyAt(monotonic(), cpus, times)
}

func busyAt(now time.Duration, cpus Set, of map[int]times) (sum time.Duration, err error) {
	measured := false
	for _, t := range of {
		measured = measured || t.hard > 0
	}
	for _, cpu := range cpus {
		t, known := of[cpu]
		if !known || t == (times{}) {
			return 0, errors.ErrUnsupported
		}
		if sum += now - t.free; measured {
			sum -= t.hard + t.soft
		}
	}
	return sum, nil
}

// monotonic is the time since the machine was started.
func monotonic() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // which every kernel has
	return time.Duration(now.Nano())
}

// ReadTaken returns what was taken from the given CPUs and from all others. The error says
// that the system does not tell it.
func ReadTaken(cpus Set) (taken Taken, err error) {
	times, err := readTimes()
	for cpu, spent := range times {
		if slices.Contains(cpus, cpu) {
			taken.Inside += spent.soft
			taken.Stolen += spent.stolen
		} else {
			taken.Outside += spent.soft
			taken.Others++
		}
	}
	return taken, err
}

// times are what a CPU has spent since the machine was started.
type times struct {
	free       time.Duration // idle, or given to others by the machine's host
	hard, soft time.Duration // interrupts
	stolen     time.Duration // given to others: a part of free
}

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

// timesIn reads "user nice system idle iowait irq softirq steal …", whose unit is a
// hundredth of a second.
func timesIn(fields []string) (t times) {
	for i, f := range fields {
		ticks, _ := strconv.ParseInt(f, 10, 64) // the kernel writes only numbers here
		spent := time.Duration(ticks) * 10 * time.Millisecond
		switch i {
		case 3, 4:
			t.free += spent
		case 7:
			t.stolen = spent
			t.free += spent
		case 5:
			t.hard = spent
		case 6:
			t.soft = spent
		}
	}
	return t
}
