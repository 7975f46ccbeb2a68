package suite

import (
	"fmt"
	"os"
	"strings"
)

// peak is what memory this process had when an input came, in bytes: what was resident,
// and its address space with the most that it ever was. The allocations of Go do not
// tell what is taken from the system directly, nor stacks.
type peak struct{ resident, size, most uint64 }

// startPeak begins a peak of the resident memory anew, which the kernel else keeps for
// the whole life of the process.
func startPeak() peak {
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // where that is refused, taken sees less
	now := readMemory()
	return peak{now["VmRSS:"], now["VmSize:"], now["VmPeak:"]}
}

// taken is what was taken since then at most: what Go allocated, unless the system
// gave away more than that explains.
func (p peak) taken(allocated uint64) uint64 {
	now, taken := readMemory(), allocated
	if now["VmHWM:"] > p.resident+taken+aLittle {
		taken = now["VmHWM:"] - p.resident
	}
	if now["VmPeak:"] > p.most && now["VmPeak:"] > p.size+taken+greedyMemory {
		taken = now["VmPeak:"] - p.size // reserved, not used
	}
	return taken
}

// aLittle is what a program's own pages and the collector may take.
const aLittle = 16 << 20

// readMemory reads sizes in bytes by their names; there are none where /proc is not.
func readMemory() map[string]uint64 {
	sizes := map[string]uint64{}
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		var name string
		var kb uint64
		if n, _ := fmt.Sscanf(line, "%s %d kB", &name, &kb); n == 2 {
			sizes[name] = kb << 10
		}
	}
	return sizes
}
