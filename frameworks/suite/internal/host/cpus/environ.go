package cpus

import (
	"slices"
	"strings"
)

// What PinSelf tells the process that it executes.
const (
	envPinned    = "RPCBENCH_PINNED" // the CPUs on which it runs
	envAvailable = "RPCBENCH_CPUS"   // the CPUs it had before
)

// Unpinned returns a copy of env without what PinSelf left there, for other processes.
func Unpinned(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == envPinned || name == envAvailable
	})
}
