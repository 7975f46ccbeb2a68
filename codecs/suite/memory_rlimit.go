//go:build linux || darwin || freebsd

package suite

import "syscall"

const canLimitMemory = true

// limitMemory limits the address space of this process to victimMemory. macOS accepts the limit
// and does not enforce it.
func limitMemory() error {
	limit := syscall.Rlimit{Cur: victimMemory, Max: victimMemory}
	return syscall.Setrlimit(syscall.RLIMIT_AS, &limit)
}
