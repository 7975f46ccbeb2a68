// Package memory limits, measures and protects the memory of a process that decodes what
// it cannot trust.
package memory

import "runtime"

// Most is what Limit limits the address space of a process to, in bytes.
const Most = 6 << 30

// Peak measures the most memory that was taken at a time. The allocations of Go do not
// tell stacks, nor what is taken from the system directly.
type Peak struct {
	system    systemPeak
	allocated uint64 // by Go before
}

// StartPeak begins to measure. On Linux it ends the measuring of an earlier Peak.
func StartPeak() Peak {
	system := startSystemPeak()
	return Peak{system, allocated()}
}

// Taken returns the bytes taken since then, at most: what Go allocated, or what the
// system gave if that is clearly more. Address space that was reserved and not used
// counts if there are more than reserve bytes of it.
func (p Peak) Taken(reserve uint64) uint64 {
	return p.system.taken(allocated()-p.allocated, reserve)
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
