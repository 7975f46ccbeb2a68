//go:build !linux

package timer

// New returns a Timer that waits with the runtime's timers.
func New(bool) (Timer, error) { return Runtime(), nil }
