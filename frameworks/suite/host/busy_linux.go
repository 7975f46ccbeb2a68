package host

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Busy returns how long the given CPUs have worked for any process since the machine
// was started, without interrupts. The error says that the system does not tell it.
func Busy(cpus CPUSet) (sum time.Duration, err error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		sum += busyOf(strings.Fields(line), cpus)
	}
	return sum, nil
}

// busyOf reads a line "cpu7 user nice system idle …", whose unit is a hundredth of a
// second.
func busyOf(fields []string, cpus CPUSet) (sum time.Duration) {
	if len(fields) < 4 {
		return 0
	}
	number, err := strconv.Atoi(strings.TrimPrefix(fields[0], "cpu"))
	if err != nil || !slices.Contains(cpus, number) {
		return 0
	}
	for _, f := range fields[1:4] {
		ticks, _ := strconv.ParseInt(f, 10, 64) // the kernel writes only numbers here
		sum += time.Duration(ticks) * 10 * time.Millisecond
	}
	return sum
}
