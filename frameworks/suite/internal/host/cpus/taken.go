package cpus

import "time"

// Taken is for how long CPUs were taken from processes since the machine was started.
// The kernel does most of its work for a network in soft interrupts, on the CPU that
// they interrupt, and does not say for which process.
type Taken struct {
	Inside  time.Duration // by soft interrupts, from the CPUs that were asked for
	Outside time.Duration // by soft interrupts, from all others
	Others  int           // CPUs that these are
	Stolen  time.Duration // by the machine's host, from the CPUs that were asked for
}

// Since returns the times from before to t, never less than 0: a CPU may have gone.
func (t Taken) Since(before Taken) Taken {
	t.Inside, t.Outside = max(t.Inside-before.Inside, 0), max(t.Outside-before.Outside, 0)
	t.Stolen = max(t.Stolen-before.Stolen, 0)
	return t
}
