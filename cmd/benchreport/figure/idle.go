package figure

import "math"

const aboutIdle = "A connection's share of what each process holds and uses beyond what it did without the connections, after collections: live heap with stacks, resident memory, goroutines, and CPU time in a second of silence. Opened are the connections that came and were called once in a second. The p99 is that of 100 callers at 1,000 calls a second: alone, and among the silent connections. Medians of all rounds; ± is how far they are from it."

// idle has the variants whose servers hold least first, and references last.
func (g *lineGroup) idle(m *material) Table {
	t := Table{Title: g.title(), Text: 1, Note: aboutIdle, Head: []string{
		"framework", "connections", "server heap KiB", "server RSS KiB", "server goroutines", "server CPU ns/s",
		"client heap KiB", "client RSS KiB", "client goroutines", "client CPU ns/s", "opened/s", "p99 ms alone", "p99 ms among",
	}}
	g.sortBy("server-heap-B/conn")
	for _, v := range g.variants {
		row := []string{v.label, v.median("conns")}
		for _, side := range []string{"server", "client"} {
			row = append(row, v.kibibytes(side+"-heap-B/conn"), v.kibibytes(side+"-rss-B/conn"),
				v.few(side+"-goroutines/conn"), v.whole(side+"-idle-cpu-ns/conn-s"))
		}
		t.Rows = append(t.Rows, append(row, v.whole("accepts/s"), m.millis(v, "alone-p99-ns"), m.millis(v, "p99-ns")))
	}
	idle, _ := g.only("idle")
	return t.without("connections", idle)
}

// values returns what all lines have of a unit.
func (v *variant) values(unit string) []float64 {
	if list := v.points(none, metric{value: unit}); len(list) > 0 {
		return list[0].values
	}
	return nil
}

// kibibytes is the median in KiB, and of several values how far they are from it.
func (v *variant) kibibytes(unit string) string { return v.ranged(unit, 1<<10) }

// few is the median of a small number, to a tenth: a process has some goroutines more or
// less.
func (v *variant) few(unit string) string { return v.to(unit, 10) }

// whole is the median without its fraction.
func (v *variant) whole(unit string) string { return v.to(unit, 1) }

// to is the median in as many parts of 1.
func (v *variant) to(unit string, parts float64) string {
	values := v.values(unit)
	if len(values) == 0 {
		return missing
	}
	return digits(math.Round(median(values)*parts) / parts)
}
