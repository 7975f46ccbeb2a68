package loadgen

import "time"

// contention is what this process and others took of its CPUs, so far.
type contention struct {
	known  bool
	at     time.Duration // when it was read
	cpus   int           // that this process may use
	idle   time.Duration // of these CPUs
	busy   time.Duration // of these CPUs, by any process
	own    time.Duration // by this one
	stolen time.Duration // of these CPUs, by other guests of the machine's host
}

// Shares of the CPU time that are too much to trust latencies.
const (
	muchOthers = .10 // by others, when the CPUs were full
	muchBusy   = .95 // is full
	muchStolen = .02
)

// since returns the shares of the CPU time between before and c that other
// processes took, that was not idle, and that was stolen.
func (c contention) since(before contention) (others, busy, stolen float64) {
	cpu := float64(c.at-before.at) * float64(c.cpus)
	if !c.known || !before.known || cpu <= 0 {
		return 0, 0, 0
	}
	others = float64(c.busy-before.busy) - float64(c.own-before.own)
	return others / cpu, 1 - float64(c.idle-before.idle)/cpu, float64(c.stolen-before.stolen) / cpu
}
