package main

import (
	"fmt"
	"io"
	"slices"
)

// row has the figures of a package.
type row struct {
	*pkg
	circle int // files of the largest circle, 0 without one
}

// table prints the figures of a number of packages, those nearest to their bounds first.
func table(w io.Writer, c checker, n int) {
	var rows []row
	lines, files := 0, 0
	for _, p := range c.sorted() {
		rows = append(rows, row{p, c.uses(p).largest()})
		lines, files = lines+p.lines, files+len(p.names)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return b.share() - a.share() })
	fmt.Fprintf(w, "%d lines in %d files of %d packages, without tests and generated code\n", lines, files, len(rows))
	fmt.Fprintf(w, "%-46s %5s %6s %7s %6s  %-24s %s\n", "package", "files", "lines", "longest", "fields", "of", "largest circle of files")
	for _, r := range rows[:min(n, len(rows))] {
		most := r.largest()
		fmt.Fprintf(w, "%-46s %5d %6d %7d %6d  %-24s %d\n", r.dir, len(r.names), r.lines, r.longest, len(most.fields), most.name, r.circle)
	}
}

// share returns the percentage of a bound that a package has reached, of the bound to which
// it is nearest.
func (r row) share() int {
	share := max(100*len(r.names)/mostFiles(r.dir), 100*r.circle/mostInCircle)
	for _, s := range r.structs {
		if !isMessage(s) {
			share = max(share, 100*len(s.fields)/mostFields)
		}
	}
	return share
}
