package cpus

import "time"

// SoftTimes are how long CPUs have handled soft interrupts since the machine was started.
// The kernel does most of its work for a network in soft interrupts, on the CPU that
// they interrupt, and does not say for which process.
type SoftTimes struct {
	Inside  time.Duration // on the CPUs that were asked for
	Outside time.Duration // on all others
	Others  int           // CPUs that these are
}

// Since returns the times from before to s, never less than 0: a CPU may have been taken
// from the machine.
func (s SoftTimes) Since(before SoftTimes) SoftTimes {
	s.Inside, s.Outside = max(s.Inside-before.Inside, 0), max(s.Outside-before.Outside, 0)
	return s
}
