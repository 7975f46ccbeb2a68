// Package shapes is how lines of benchmarks look: their names, the keys in these, and their
// units.
package shapes

import (
	"maps"
	"slices"
	"strings"
)

// shape has the keys of the names of one benchmark.
type shape struct {
	order  []string
	before map[string]map[string]bool // which keys stand before one
	in     map[string]int             // names that have one
	names  int
}

// add takes the name of a case, as in BenchmarkEcho/size=1KiB.
func (s *shape) add(name string) {
	var before []string
	for part := range strings.SplitSeq(name, "/") {
		key, _, found := strings.Cut(part, "=")
		if !found {
			continue
		}
		if s.in[key]++; s.before[key] == nil {
			s.order, s.before[key] = append(s.order, key), map[string]bool{}
		}
		for _, b := range before {
			s.before[key][b] = true
		}
		before = append(before, key)
	}
	s.names++
}

// String has the keys in their order, those in brackets that not all names have.
func (s *shape) String() string {
	var text strings.Builder
	for _, key := range s.sorted() {
		if s.in[key] < s.names {
			text.WriteString("[/" + key + "=]")
		} else {
			text.WriteString("/" + key + "=")
		}
	}
	return text.String()
}

// sorted has each key behind those that stand before it in any name.
func (s *shape) sorted() (list []string) {
	left := slices.Clone(s.order)
	for len(left) > 0 {
		i := max(0, slices.IndexFunc(left, func(key string) bool {
			return !slices.ContainsFunc(left, func(other string) bool { return s.before[key][other] })
		}))
		list, left = append(list, left[i]), slices.Delete(left, i, i+1)
	}
	return list
}

// Shapes has a line for each benchmark of which there are cases.
func Shapes(cases []string) (lines []string) {
	all := map[string]*shape{}
	for _, name := range cases {
		benchmark, _, _ := strings.Cut(name, "/")
		if all[benchmark] == nil {
			all[benchmark] = &shape{before: map[string]map[string]bool{}, in: map[string]int{}}
		}
		all[benchmark].add(name)
	}
	for _, benchmark := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, benchmark+all[benchmark].String())
	}
	return lines
}
