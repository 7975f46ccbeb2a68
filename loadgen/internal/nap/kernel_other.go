//go:build !linux

package nap

// New returns a Napper that waits with the runtime's timers.
func New(bool) (Napper, error) { return Timer(), nil }
