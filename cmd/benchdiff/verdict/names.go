package verdict

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// names returns what tells the benchmarks apart, and what all have in common.
func (r *Report) names() (short []string, common string) {
	var all []lines.Name
	having := map[lines.Key]int{} // names
	for _, b := range r.Benchmarks {
		all = append(all, b.Name)
		for i, k := range b.Name.Keys {
			if !slices.Contains(b.Name.Keys[:i], k) {
				having[k]++
			}
		}
	}
	shared := func(k lines.Key) bool { return having[k] == len(all) }
	sameBase := !slices.ContainsFunc(all, func(n lines.Name) bool { return n.Base != all[0].Base })
	for _, n := range all {
		short = append(short, shortName(n, sameBase, shared))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(short)))) < len(short) { // with other numbers of procs
		for i, n := range all {
			short[i] = n.Full
		}
	}
	for i, name := range short {
		short[i] = foreign.Line(name)
	}
	return short, foreign.Line(commonName(all, sameBase, shared))
}

// shortName leaves out what all benchmarks share. A value stands alone unless
// it is a number, which means nothing without its key.
func shortName(n lines.Name, sameBase bool, shared func(lines.Key) bool) string {
	var parts []string
	if !sameBase {
		parts = append(parts, n.Base)
	}
	for _, k := range n.Keys {
		switch {
		case shared(k):
		case k.Key == "" || k.Value != "" && !unicode.IsDigit(rune(k.Value[0])):
			parts = append(parts, k.Value)
		default:
			parts = append(parts, k.Key+"="+k.Value)
		}
	}
	if len(parts) == 0 {
		return n.Base
	}
	return strings.Join(parts, "/")
}

func commonName(all []lines.Name, sameBase bool, shared func(lines.Key) bool) string {
	var parts []string
	if sameBase && len(all) > 1 {
		parts = append(parts, all[0].Base)
	}
	for _, k := range all[0].Keys {
		if shared(k) {
			parts = append(parts, strings.TrimPrefix(k.Key+"="+k.Value, "="))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, " ")
}

func plural(n int) string {
	if n == 1 {
		return "1 benchmark"
	}
	return fmt.Sprintf("%d benchmarks", n)
}
