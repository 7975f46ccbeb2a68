//go:build linux || darwin || freebsd

package memory

import "syscall"

// CanLimit reports whether this system has Limit.
const CanLimit = true

// Limit limits the address space of this process to Most bytes. macOS accepts the limit
// and does not enforce it.
func Limit() error {
	limit := syscall.Rlimit{Cur: Most, Max: Most}
	return syscall.Setrlimit(syscall.RLIMIT_AS, &limit)
}
