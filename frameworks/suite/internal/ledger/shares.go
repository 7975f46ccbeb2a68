package ledger

import (
	"fmt"
	"io"
	"slices"
)

// Throughput is how much a framework transfers by one mode of Bulk.
type Throughput struct {
	Kind      string // keys; only those with the same kind are compared
	Framework string
	Mode      string
	Reference bool    // raw TCP, the machine's own limit
	Rate      float64 // bytes per second, one way
}

// shares holds the throughput of all cases of Bulk, in their order.
type shares []Throughput

// note enters the throughput of a round. It replaces that of an earlier round of the
// same case.
func (s *shares) note(n Throughput) {
	same := func(o Throughput) bool { return o.Kind == n.Kind && o.Framework == n.Framework && o.Mode == n.Mode }
	if i := slices.IndexFunc(*s, same); i >= 0 {
		(*s)[i] = n
		return
	}
	*s = append(*s, n)
}

// best returns the fastest mode of each framework for each kind.
func (s shares) best() (list shares) {
	for _, n := range s {
		i := slices.IndexFunc(list, func(o Throughput) bool { return o.Kind == n.Kind && o.Framework == n.Framework })
		switch {
		case i < 0:
			list = append(list, n)
		case list[i].Rate < n.Rate:
			list[i] = n
		}
	}
	return list
}

// print prints the best mode of each framework as a percentage of the reference.
func (s shares) print(w io.Writer) {
	best := s.best()
	for _, n := range best {
		i := slices.IndexFunc(best, func(o Throughput) bool { return o.Kind == n.Kind && o.Reference })
		if i < 0 || n.Reference || best[i].Rate == 0 {
			continue
		}
		fmt.Fprintf(w, "# share: %s: framework=%s %s: %.0f MB/s, %.0f %% of framework=%s %s\n",
			n.Kind, n.Framework, n.Mode, n.Rate/1e6, 100*n.Rate/best[i].Rate, best[i].Framework, best[i].Mode)
	}
}
