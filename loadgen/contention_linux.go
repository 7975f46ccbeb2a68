package loadgen

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// readContention reads /proc: a few dozen microseconds, outside of the run.
func readContention(at time.Duration) contention {
	c := contention{at: at, procs: runtime.GOMAXPROCS(0)}
	stats, err := filepath.Glob("/proc/self/task/*/schedstat")
	if err != nil || len(stats) == 0 {
		return c
	}
	for _, name := range stats {
		var ran, waited int64
		if text, err := os.ReadFile(name); err == nil { // else the thread has ended
			fmt.Sscan(string(text), &ran, &waited)
			c.waited += time.Duration(waited)
		}
	}
	c.stolen, c.known = readStolen()
	return c
}

// readStolen reads the eighth figure of the line "cpu", in hundredths of a
// second.
func readStolen() (time.Duration, bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	var ticks int64
	if len(fields) < 9 {
		return 0, false
	}
	_, err = fmt.Sscan(fields[8], &ticks)
	return time.Duration(ticks) * 10 * time.Millisecond, err == nil
}
