package host

import (
	"runtime"
	"sync"
	"time"
)

// Figures are what a child has used since it started. The cost of reading them
// is not in them.
type Figures struct {
	Allocs     int64         // objects allocated on the heap, as testing counts them
	AllocBytes int64         // bytes allocated on the heap
	RSS        int64         // bytes resident now; 0: not known on this system
	PeakRSS    int64         // bytes resident at most; 0: not known
	CPU        time.Duration // user and system time
}

// Since is f with allocations and CPU counted from before, never less than 0.
// RSS and PeakRSS stay those of f.
func (f Figures) Since(before Figures) Figures {
	f.Allocs = max(f.Allocs-before.Allocs, 0)
	f.AllocBytes = max(f.AllocBytes-before.AllocBytes, 0)
	f.CPU = max(f.CPU-before.CPU, 0)
	return f
}

// without takes the cost of reads readings out of f.
func (f Figures) without(cost Figures, reads int64) Figures {
	f.Allocs -= reads * cost.Allocs
	f.AllocBytes -= reads * cost.AllocBytes
	f.CPU -= time.Duration(reads) * cost.CPU
	return f
}

// least takes the smaller of each count of f and g.
func (f Figures) least(g Figures) Figures {
	return Figures{
		Allocs:     min(f.Allocs, g.Allocs),
		AllocBytes: min(f.AllocBytes, g.AllocBytes),
		CPU:        min(f.CPU, g.CPU),
	}
}

// reading is the child's answer: its raw figures and which reading it was.
// Counting here rather than in the parent counts calls that timed out, too.
type reading struct {
	Figures
	Reads int64
}

// reader reads the figures of its own process. It keeps its buffer, so that
// every reading allocates the same.
type reader struct {
	mu    sync.Mutex
	reads int64
	stats runtime.MemStats
}

// read returns the figures so far. It stops the world, since runtime/metrics
// misses what the Ps have not handed in: 75 of 201 objects were seen there.
func (r *reader) read() reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	var f Figures
	f.RSS, f.PeakRSS = residentSet()
	f.CPU = ownCPU()
	runtime.ReadMemStats(&r.stats)
	f.Allocs, f.AllocBytes = int64(r.stats.Mallocs), int64(r.stats.TotalAlloc)
	return reading{Figures: f, Reads: r.reads}
}
