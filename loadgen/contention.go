package loadgen

import (
	"math"
	"time"
)

// contention is how much CPU time this process and others have used until now, on
// the CPUs that this process may use.
type contention struct {
	known  bool
	at     time.Duration // when it was read
	cpus   int           // CPUs that this process may use
	idle   time.Duration // in which these CPUs did nothing
	busy   time.Duration // used on these CPUs, by any process
	own    time.Duration // used by this process
	stolen time.Duration // in which the machine's host gave these CPUs to other guests
}

// Shares of the CPU time above which latencies are not to be trusted.
const (
	muchOthers = .10 // used by others, if the CPUs were full
	muchBusy   = .95 // not idle: the CPUs are full above this
	muchStolen = .02
)

// since returns which shares of the CPU time between before and c other processes
// used, was not idle, and was stolen. All are 0 if they cannot be known, as in fake time, in
// which the kernel counts other seconds.
func (c contention) since(before contention) (others, busy, stolen float64) {
	cpu := float64(c.at-before.at) * float64(c.cpus)
	counted := float64(c.idle - before.idle + c.busy - before.busy + c.stolen - before.stolen)
	if !c.known || !before.known || cpu <= 0 || math.Abs(counted-cpu) > cpu/2 {
		return 0, 0, 0
	}
	others = float64(c.busy-before.busy) - float64(c.own-before.own)
	return others / cpu, 1 - float64(c.idle-before.idle)/cpu, float64(c.stolen-before.stolen) / cpu
}
