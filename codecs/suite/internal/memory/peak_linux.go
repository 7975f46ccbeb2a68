package memory

import (
	"fmt"
	"os"
	"strings"
)

// systemPeak is what memory this process had before, in bytes: what was resident, and its
// address space, with the most that it ever was.
type systemPeak struct{ resident, size, most uint64 }

// startSystemPeak has the kernel forget the peak of the resident memory, which it else
// keeps for the whole life of a process.
func startSystemPeak() systemPeak {
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // where that is refused, taken sees less
	now := readMemory()
	return systemPeak{now["VmRSS:"], now["VmSize:"], now["VmPeak:"]}
}

func (p systemPeak) taken(allocated, reserve uint64) uint64 {
	now, taken := readMemory(), allocated
	if now["VmHWM:"] > p.resident+taken+runtimeOwn {
		taken = now["VmHWM:"] - p.resident
	}
	if now["VmPeak:"] > p.most && now["VmPeak:"] > p.size+taken+reserve {
		taken = now["VmPeak:"] - p.size
	}
	return taken
}

// runtimeOwn is what a program's own pages and the collector may take, in bytes.
const runtimeOwn = 16 << 20

// readMemory reads sizes in bytes by their names; none without /proc.
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
