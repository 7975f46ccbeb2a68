package host

import (
	"runtime"
	"runtime/metrics"
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

// reader reads the figures of its own process. It keeps its buffers, so that
// an exact reading allocates no more than another.
type reader struct {
	mu      sync.Mutex
	reads   int64
	stats   runtime.MemStats
	samples []metrics.Sample
}

func newReader() *reader {
	return &reader{samples: []metrics.Sample{
		{Name: "/gc/heap/allocs:objects"},
		{Name: "/gc/heap/tiny/allocs:objects"}, // the former counts their blocks only
		{Name: "/gc/heap/allocs:bytes"},
	}}
}

// read returns the figures so far. Exact readings stop the world to have every
// P hand in what it counted; others miss what the Ps still hold.
func (r *reader) read(exact bool) reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	var f Figures
	f.RSS, f.PeakRSS = residentSet()
	f.CPU = ownCPU()
	if exact {
		runtime.ReadMemStats(&r.stats)
	}
	metrics.Read(r.samples)
	f.Allocs = int64(r.samples[0].Value.Uint64() + r.samples[1].Value.Uint64())
	f.AllocBytes = int64(r.samples[2].Value.Uint64())
	return reading{Figures: f, Reads: r.reads}
}
