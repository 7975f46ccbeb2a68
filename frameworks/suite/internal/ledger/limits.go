package ledger

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// LimitedBy enters which side limited a case, as in "the client"; "" if that is not known. It
// is no reason not to trust the case: how busy each side was is on its line.
func (l *Ledger) LimitedBy(name, side string) { l.enter(l.limited, name, side) }

// printLimits prints one line for all cases, the most frequent limit first. It names cases
// that are fewer than manyCases.
func (n notes) printLimits(w io.Writer) {
	of := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		of[n[name][0]] = append(of[n[name][0]], name)
	}
	sides := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(of[b]), len(of[a])), cmp.Compare(a, b))
	})
	if len(sides) == 0 {
		return
	}
	var texts []string
	for _, side := range sides {
		in := strconv.Itoa(len(of[side]))
		switch {
		case len(n) < manyCases:
			in = strings.Join(of[side], " and ")
		case len(texts) == 0:
			in += " cases"
		}
		texts = append(texts, side+" in "+in)
	}
	fmt.Fprintf(w, "# limit: %s\n", strings.Join(texts, ", "))
}
