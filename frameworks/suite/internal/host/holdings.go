package host

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/files"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
)

const pathHoldings = "/holdings"

// holdingsTimeout bounds the reading of a child's Holdings. A child that holds gigabytes
// collects them several times, each time for seconds.
const holdingsTimeout = 2 * time.Minute

// Holdings is what a process holds when its garbage has been collected.
type Holdings struct {
	RSS        int64 // bytes resident, without those of files; 0 if the system does not tell
	Heap       int64 // bytes of live objects and of stacks
	Goroutines int
	Files      int // open file descriptors; 0 if the system does not tell
}

// Holdings collects the child's garbage and returns what it then holds.
func (h *Host) Holdings(ctx context.Context) (held Holdings, err error) {
	err = h.ask(ctx, pathHoldings, holdingsTimeout, func(answer io.Reader) error {
		return json.NewDecoder(limit.Reader(answer, maxFigures)).Decode(&held)
	})
	if err != nil {
		return Holdings{}, fmt.Errorf("host: holdings of %s: %w", h.config.Serve, err)
	}
	return held, nil
}

// OwnHoldings does for this process what Host.Holdings does for a child.
func OwnHoldings() Holdings {
	heap := collect()
	debug.FreeOSMemory()
	return Holdings{RSS: resident.Anonymous(), Heap: heap, Goroutines: runtime.NumGoroutine(), Files: files.Open()}
}

// A collection halves stacks that are hardly used, and pools are empty after two. So what
// is held settles in several collections.
const (
	fewestCollections = 3
	mostCollections   = 8
	settled           = .001 // change from one collection to the next, as a share
)

// collect collects garbage until the bytes of live objects and of stacks, which it
// returns, hardly change.
func collect() (held int64) {
	var stats runtime.MemStats
	for i := range mostCollections {
		runtime.GC()
		runtime.ReadMemStats(&stats)
		before := held
		held = int64(stats.HeapAlloc + stats.StackInuse)
		if change := float64(before - held); i+1 >= fewestCollections && max(change, -change) <= settled*float64(held) {
			break
		}
	}
	return held
}

func serveHoldings(w http.ResponseWriter, _ *http.Request) {
	_ = json.NewEncoder(w).Encode(OwnHoldings()) // fails only if the parent has gone
}
