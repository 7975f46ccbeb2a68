package lines

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Name is what the name of a result line says.
type Name struct {
	Full string // as in "BenchmarkEcho/size=1KiB/conc=100", without the number of procs
	Base string // as in "Echo"
	Keys []Key  // in their order
}

// Key is an element of a name: key=value, or with an empty Key a value alone.
type Key struct{ Key, Value string }

// ParseName takes apart the name of a result line.
func ParseName(full string) Name {
	n := Name{Full: full}
	base, parts := benchfmt.Name(strings.TrimPrefix(full, "Benchmark")).Parts()
	n.Base = string(base)
	for _, p := range parts {
		part := string(p)
		if procs, ok := strings.CutPrefix(part, "-"); ok {
			n.Full = strings.TrimSuffix(full, "-"+procs)
			continue
		}
		key, value, ok := strings.Cut(part[1:], "=")
		if !ok {
			key, value = "", part[1:]
		}
		n.Keys = append(n.Keys, Key{key, value})
	}
	return n
}

// Get returns the value of a key; "" if the name has none.
func (n Name) Get(key string) string {
	i := slices.IndexFunc(n.Keys, func(k Key) bool { return k.Key == key })
	if i < 0 {
		return ""
	}
	return n.Keys[i].Value
}
