// Package cpu reads how much CPU time this process and others have used.
package cpu

import (
	"math"
	"time"
)

// Usage is how much CPU time this process and others have used until now, on
// the CPUs that this process may use.
type Usage struct {
	Known  bool
	At     time.Duration // when it was read
	CPUs   int           // CPUs that this process may use
	Idle   time.Duration // in which these CPUs did nothing
	Busy   time.Duration // used on these CPUs, by any process
	Own    time.Duration // used by this process
	Stolen time.Duration // in which the machine's host gave these CPUs to other guests
}

// Since returns which shares of the CPU time between before and c other processes
// used, was not idle, and was stolen. All are 0 if they cannot be known, as in fake time, in
// which the kernel counts other seconds.
func (c Usage) Since(before Usage) (others, busy, stolen float64) {
	cpu := float64(c.At-before.At) * float64(c.CPUs)
	counted := float64(c.Idle - before.Idle + c.Busy - before.Busy + c.Stolen - before.Stolen)
	if !c.Known || !before.Known || cpu <= 0 || math.Abs(counted-cpu) > cpu/2 {
		return 0, 0, 0
	}
	others = float64(c.Busy-before.Busy) - float64(c.Own-before.Own)
	return others / cpu, 1 - float64(c.Idle-before.Idle)/cpu, float64(c.Stolen-before.Stolen) / cpu
}

// OwnSince returns which share of a number of processors this process used between before and
// c; 0 if that cannot be known.
func (c Usage) OwnSince(before Usage, procs int) float64 {
	elapsed := c.At - before.At
	if !c.Known || !before.Known || elapsed <= 0 || procs <= 0 {
		return 0
	}
	return float64(c.Own-before.Own) / (float64(elapsed) * float64(procs))
}
