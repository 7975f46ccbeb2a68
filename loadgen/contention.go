package loadgen

import "time"

// contention is what kept this process from its CPUs, so far.
type contention struct {
	known  bool
	at     time.Duration // when it was read
	procs  int
	waited time.Duration // by all threads that wanted to run and had no CPU
	stolen time.Duration // by other guests of the machine's host
}

// Shares of the CPU time that are too much to trust latencies.
const (
	muchWaited = .10
	muchStolen = .02
)

// since returns the shares of the CPU time between before and c that threads
// waited and that was stolen.
func (c contention) since(before contention) (waited, stolen float64) {
	cpu := float64(c.at-before.at) * float64(c.procs)
	if !c.known || !before.known || cpu <= 0 {
		return 0, 0
	}
	return float64(c.waited-before.waited) / cpu, float64(c.stolen-before.stolen) / cpu
}
