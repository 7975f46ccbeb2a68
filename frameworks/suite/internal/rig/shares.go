package rig

import (
	"fmt"
	"io"
	"slices"
)

// throughput is how much a framework transfers by one mode of Bulk.
type throughput struct {
	kind      string // keys; only those with the same kind are compared
	framework string
	mode      string
	reference bool    // raw TCP, the machine's own limit
	rate      float64 // bytes per second, one way
}

// shares holds the throughput of all cases of Bulk, in their order.
type shares []throughput

// note enters the throughput of a round. It replaces that of an earlier round of the
// same case.
func (s *shares) note(n throughput) {
	same := func(o throughput) bool { return o.kind == n.kind && o.framework == n.framework && o.mode == n.mode }
	if i := slices.IndexFunc(*s, same); i >= 0 {
		(*s)[i] = n
		return
	}
	*s = append(*s, n)
}

// best returns the fastest mode of each framework for each kind.
func (s shares) best() (list shares) {
	for _, n := range s {
		i := slices.IndexFunc(list, func(o throughput) bool { return o.kind == n.kind && o.framework == n.framework })
		switch {
		case i < 0:
			list = append(list, n)
		case list[i].rate < n.rate:
			list[i] = n
		}
	}
	return list
}

// print prints the best mode of each framework as a percentage of the reference.
func (s shares) print(w io.Writer) {
	best := s.best()
	for _, n := range best {
		i := slices.IndexFunc(best, func(o throughput) bool { return o.kind == n.kind && o.reference })
		if i < 0 || n.reference || best[i].rate == 0 {
			continue
		}
		fmt.Fprintf(w, "# share: %s: framework=%s %s: %.0f MB/s, %.0f %% of framework=%s %s\n",
			n.kind, n.framework, n.mode, n.rate/1e6, 100*n.rate/best[i].rate, best[i].framework, best[i].mode)
	}
}
