//go:build unix

package cell

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// Machine describes this machine in a line.
func Machine() string {
	var name unix.Utsname
	kernel := runtime.GOOS
	if unix.Uname(&name) == nil {
		kernel = unix.ByteSliceToString(name.Sysname[:]) + " " + unix.ByteSliceToString(name.Release[:])
	}
	info, _ := os.ReadFile("/proc/cpuinfo") // other systems have none
	return fmt.Sprintf("%s, %d cores, %s, %s", model(string(info)), runtime.NumCPU(), kernel, runtime.Version())
}

// model returns the name of the CPU.
func model(info string) string {
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
