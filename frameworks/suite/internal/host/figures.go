package host

import (
	"runtime"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
)

// Figures is what a child has used since it started, without the cost of reading it.
type Figures struct {
	Allocs     int64         // objects allocated on the heap, as testing counts them
	AllocBytes int64         // bytes allocated on the heap
	RSS        int64         // bytes resident now; 0 if the system does not tell
	PeakRSS    int64         // the most bytes that were resident; 0 if the system does not tell
	CPU        time.Duration // user and system time
	Monitor    time.Duration // of CPU, the part of Go's monitor, which no profile sees; 0 if the system does not tell
}

// Since returns f with allocations and CPU counted from before, never less than 0.
// RSS and PeakRSS are unchanged.
func (f Figures) Since(before Figures) Figures {
	f.Allocs = max(f.Allocs-before.Allocs, 0)
	f.AllocBytes = max(f.AllocBytes-before.AllocBytes, 0)
	f.CPU = max(f.CPU-before.CPU, 0)
	f.Monitor = max(f.Monitor-before.Monitor, 0)
	return f
}

// without returns f less the cost of the given number of readings.
func (f Figures) without(cost Figures, reads int64) Figures {
	f.Allocs -= reads * cost.Allocs
	f.AllocBytes -= reads * cost.AllocBytes
	f.CPU -= time.Duration(reads) * cost.CPU
	return f
}

// least returns the smaller of f and g for each count.
func (f Figures) least(g Figures) Figures {
	return Figures{
		Allocs:     min(f.Allocs, g.Allocs),
		AllocBytes: min(f.AllocBytes, g.AllocBytes),
		CPU:        min(f.CPU, g.CPU),
	}
}

// reading is the child's answer: its raw figures and the number of the reading. The
// child does the counting, so that readings that timed out in the parent count too.
type reading struct {
	Figures
	Reads int64
}

// reader reads the figures of its own process. It keeps its buffer, so that every
// reading allocates the same amount.
type reader struct {
	mu    sync.Mutex
	reads int64
	stats runtime.MemStats
}

// read returns the figures so far. It uses runtime.ReadMemStats, which stops all
// goroutines, because runtime/metrics misses allocations that the processors have not
// yet added to the total: it counted 75 of 201 objects.
func (r *reader) read() reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	var f Figures
	f.RSS, f.PeakRSS = resident.Own()
	f.CPU, f.Monitor = process.OwnCPU(), process.Monitor()
	runtime.ReadMemStats(&r.stats)
	f.Allocs, f.AllocBytes = int64(r.stats.Mallocs), int64(r.stats.TotalAlloc)
	return reading{Figures: f, Reads: r.reads}
}

// OwnFigures returns the figures of this process, with the cost of reading them: two
// readings differ by the CPU time of one.
func OwnFigures() Figures { return new(reader).read().Figures }
