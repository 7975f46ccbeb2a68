package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Switches returns how often the threads of a process that run now have been switched
// away from, as they waited or had to make room.
func Switches(pid int) (sum int64, err error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("context switches: there is no process %d", pid)
	}
	for _, file := range files {
		status, _ := os.ReadFile(file) // fails if the thread has ended meanwhile
		for line := range strings.Lines(string(status)) {
			if name, value, _ := strings.Cut(line, ":"); strings.HasSuffix(name, "voluntary_ctxt_switches") {
				n, _ := strconv.ParseInt(strings.TrimSpace(value), 10, 64) // the kernel writes only numbers here
				sum += n
			}
		}
	}
	return sum, nil
}

// stands reports whether all threads of a process have stopped.
func stands(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) // the pattern is right
	for _, thread := range threads {
		stat, err := os.ReadFile(thread)
		_, after, _ := bytes.Cut(stat, []byte(") "))
		if err == nil && !bytes.HasPrefix(after, []byte("T")) {
			return false
		}
	}
	return true
}
