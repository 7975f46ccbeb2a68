package commandline

import (
	"maps"
	"slices"
	"strings"
)

// Nearest returns those of names that name was probably meant to be, at most
// three: those that take the fewest edits, up to about a third of its letters, and
// those that begin alike.
func Nearest(name string, names []string) (near []string) {
	least := ((len(name)+1)/3 + 1) * far
	for _, other := range names {
		switch d := difference(strings.ToLower(name), strings.ToLower(other)); {
		case d < least:
			least, near = d, []string{other}
		case d == least && len(near) > 0:
			near = append(near, other)
		}
	}
	return near[:min(len(near), 3)]
}

// DidYouMean asks for what was probably meant, of which there is at least one.
func DidYouMean(near []string) string {
	end := len(near) - 1
	if end == 0 {
		return "did you mean " + near[0] + "?"
	}
	return "did you mean " + strings.Join(near[:end], ", ") + " or " + near[end] + "?"
}

// far is the difference of one edit. Among names that take as many edits, those
// of the same length are nearer.
const far = 100

// difference tells how far two names are from each other. One that begins like the
// other, with three letters at least, is one edit away.
func difference(a, b string) int {
	apart := edits(a, b)
	if alike := min(len(a), len(b)); alike >= 3 && a[:alike] == b[:alike] {
		apart = min(apart, 1)
	}
	return apart*far + min(max(len(a)-len(b), len(b)-len(a)), far-1)
}

// edits counts the letters to insert, leave out, change or swap with the next one
// that make b of a.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := range len(a) {
		for j := range len(b) {
			d := min(rows[i][j+1], rows[i+1][j]) + 1
			if a[i] == b[j] {
				d = min(d, rows[i][j])
			}
			d = min(d, rows[i][j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = d
		}
	}
	return rows[len(a)][len(b)]
}

func keys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
