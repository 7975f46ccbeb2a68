package figure

import (
	"fmt"
	"math"
	"slices"
)

// megabyte is in bytes.
const megabyte = 1e6

const aboutFootprints = "Each program is the adapter of one framework, stripped. Times run from exec until its server listens, and until a client has the first reply. RSS and goroutines are the server's at rest. Added is what a program has more than the first row of raw TCP."

// footprints has the smallest programs first, and the reference last. What the others
// have more than the reference is what the framework adds.
func (g *lineGroup) footprints() Table {
	t := Table{
		Title: g.title(), Text: 1, Note: aboutFootprints + g.starts(),
		Head: []string{"framework", "binary MB", "added MB", "modules", "listens ms", "first reply ms", "RSS MB", "added RSS MB", "goroutines"},
	}
	g.sortBy("binary-B")
	for _, v := range g.variants {
		t.Rows = append(t.Rows, []string{
			v.label, v.in(megabyte, "binary-B"), g.added(v, "binary-B"), v.median("modules"),
			v.half("listen-ns"), v.half("first-reply-ns"),
			v.in(megabyte, "server-rss-B"), g.added(v, "server-rss-B"), v.median("server-goroutines"),
		})
	}
	for _, column := range []string{"added MB", "added RSS MB", "RSS MB"} {
		t = t.without(column, missing)
	}
	return t
}

// middle is the median of a unit; 0 if no line has it.
func (v *variant) middle(unit string) float64 {
	if list := v.points(none, metric{value: unit}); len(list) > 0 {
		return median(list[0].values)
	}
	return 0
}

// in is the median in units of a size.
func (v *variant) in(size float64, unit string) string {
	if value := v.middle(unit); value > 0 {
		return digits(value / size)
	}
	return missing
}

// starts says how often each program was started.
func (g *lineGroup) starts() string {
	most := 0
	for _, v := range g.variants {
		most = max(most, len(v.lines))
	}
	if most < 2 {
		return ""
	}
	return fmt.Sprintf(" Medians of %d starts; half of the starts are as near to the median as ± says.", most)
}

// half is the median in ms, and how far half of the starts are from it at most. The
// slowest of several starts says more about the machine than about the program.
func (v *variant) half(unit string) string {
	list := v.points(none, metric{value: unit})
	if len(list) == 0 {
		return missing
	}
	middle, values := median(list[0].values), list[0].values
	text := digits(middle / 1e6)
	if len(values) == 1 || middle == 0 {
		return text
	}
	var far []float64
	for _, v := range values {
		far = append(far, math.Abs(v-middle))
	}
	return fmt.Sprintf("%s ±%.0f %%", text, 100*median(far)/middle)
}

// added is what a program has more than the first reference, in MB.
func (g *lineGroup) added(v *variant, unit string) string {
	i := slices.IndexFunc(g.variants, func(w *variant) bool { return w.rank() == reference && w.middle(unit) > 0 })
	if i < 0 || v.rank() == reference || v.middle(unit) == 0 {
		return missing
	}
	return digits((v.middle(unit) - g.variants[i].middle(unit)) / megabyte)
}
