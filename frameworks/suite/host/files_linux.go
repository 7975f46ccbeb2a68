package host

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// OwnFiles returns how many file descriptors this process has open; 0 if the system does
// not tell.
func OwnFiles() int {
	dir, err := os.Open("/proc/self/fd")
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return 0
	}
	return len(names) - 1 // without dir itself
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
