package resident

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
)

// Own returns how many bytes of this process are resident now, and the most that were;
// 0 if the system does not tell. It does not use getrusage, whose peak a child inherits
// from its parent.
func Own() (now, peak int64) { return read("/proc/self/status") }

// Of returns the same of another process; 0 after its end.
func Of(pid int) (now, peak int64) { return read(fmt.Sprintf("/proc/%d/status", pid)) }

// ResetPeak restarts the measurement of this process's peak. It returns unused memory of the
// heap to the system, so that earlier garbage does not count, and clears the kernel's high-water mark.
func ResetPeak() error {
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

func read(file string) (now, peak int64) {
	status, err := os.ReadFile(file)
	if err != nil {
		return 0, 0
	}
	return statusBytes(status, "VmRSS:"), statusBytes(status, "VmHWM:")
}

// statusBytes returns the value in bytes of a line "Key:   123 kB"; 0 if there is no
// such line.
func statusBytes(status []byte, key string) int64 {
	_, rest, _ := bytes.Cut(status, []byte("\n"+key))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	number, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
	kib, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}
