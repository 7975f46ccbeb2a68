package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Table is text in rows; the first Text columns are words, the others numbers.
type Table struct {
	Title string
	Text  int
	Head  []string
	Rows  [][]string // as long as Head
	// Note and Measured are for tables of lines of their own: how to read them, in
	// sentences, and their machine, date and commit.
	Note     string
	Measured []Fact
}

// missing stands for a figure that was not measured.
const missing = "–"

// tables are of all calls.
func (m *material) tables() (list []Table) {
	for _, p := range []part{{closed, callers}, {open, rates}, {capacity, none}, {load, loads}, {bulk, sizes}, {stall, loops}, {workload, workings}} {
		for _, g := range group(m.lines[p.subject], p.axis) {
			list = append(list, g.table(m, p.axis))
		}
	}
	return list
}

// furtherColumns are of some lines only: of a Mix, and of calls over a network.
var furtherColumns = []sized{
	{"small p50 ms", "small-p50-ns", 1e6},
	{"small p99 ms", "small-p99-ns", 1e6},
	{"large p50 ms", "large-p50-ns", 1e6},
	{"large p99 ms", "large-p99-ns", 1e6},
	{"client window KiB", "client-window-B", 1 << 10},
	{"server window KiB", "server-window-B", 1 << 10},
	{"network CPU µs", "net-cpu-ns/op", 1e3},
	{"network busy %", "net-busy-%", 1},
	{"network lost %", "net-lost-%", 1},
}

func (g *lineGroup) table(m *material, a axis) Table {
	t := Table{
		Title: g.title(), Text: 1,
		Head: []string{"framework", a.title, "calls/s", "lowest", "highest", "MB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "wasted %", "recovery ms", "retries", "errors"},
	}
	for _, c := range furtherColumns {
		t.Head = append(t.Head, c.head)
	}
	for _, v := range g.variants {
		for _, r := range v.points(a, metric{value: "calls/s"}) {
			one := &variant{lines: r.lines}
			t.Rows = append(t.Rows, append([]string{
				v.label, cmp.Or(r.name, r.offered(), missing), digits(median(r.values)),
				one.median("low-calls/s"), one.median("high-calls/s"), one.median("MB/s"),
				m.millis(one, "mean-ns"), m.millis(one, "p50-ns"), m.millis(one, "p99-ns"), m.millis(one, "p99.9-ns"), m.millis(one, "max-ns"),
				one.median("wasted-%"), m.millis(one, "recover-ns"), one.median("retries/op"), one.sum("errors"),
			}, one.further()...))
		}
	}
	t = t.without("errors", "0", missing).without(a.title, missing)
	for _, column := range []string{"lowest", "highest", "MB/s", "mean ms", "max ms", "wasted %", "recovery ms", "retries"} {
		t = t.without(column, missing)
	}
	for _, c := range furtherColumns {
		t = t.without(c.head, missing)
	}
	return t
}

func (v *variant) further() (cells []string) {
	for _, c := range furtherColumns {
		cell := missing
		if list := v.points(none, metric{value: c.unit}); len(list) > 0 {
			cell = digits(median(list[0].values) / c.size)
		}
		cells = append(cells, cell)
	}
	return cells
}

// without leaves out a column of which all rows have one of the values.
func (t Table) without(column string, values ...string) Table {
	at := slices.Index(t.Head, column)
	if slices.ContainsFunc(t.Rows, func(row []string) bool { return !slices.Contains(values, row[at]) }) {
		return t
	}
	t.Head = slices.Delete(slices.Clone(t.Head), at, at+1)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Delete(row, at, at+1)
	}
	return t
}

// millis is the median of a metric's rounds, or where lines have none what the
// records say: the mean and the maximum of all rounds together.
func (m *material) millis(one *variant, unit string) string {
	if list := one.points(none, metric{value: unit}); len(list) > 0 {
		return digits(median(list[0].values) / 1e6)
	}
	h := m.responses[one.lines[0].Row()]
	switch {
	case h != nil && unit == "mean-ns":
		return digits(h.Mean() / 1e6)
	case h != nil && unit == "max-ns":
		return digits(float64(h.Max()) / 1e6)
	}
	return missing
}

// offered is X where no key names it; "" for none.
func (r *repeats) offered() string {
	if x := slices.Concat(r.xs, []float64{0})[0]; x == 0 {
		return ""
	}
	return digits(median(r.xs))
}

// median is of all lines of a variant that have the unit.
func (v *variant) median(unit string) string {
	if list := v.points(none, metric{value: unit}); len(list) > 0 {
		return digits(median(list[0].values))
	}
	return missing
}

func (v *variant) sum(unit string) string {
	sum := 0.
	for _, l := range v.lines {
		sum += l.Values[unit]
	}
	return digits(sum)
}

// digits writes a value with three digits, or all before the point.
func digits(v float64) string {
	places := 0
	for limit := 100.; places < 3 && v < limit && v != math.Trunc(v); limit /= 10 {
		places++
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// codecs are tables of ns/op: serializers down, operations across.
func (m *material) codecs() (list []Table) {
	for _, g := range group(m.lines[codec], ops) {
		list = append(list, g.codecTable())
	}
	return list
}

func (g *lineGroup) codecTable() Table {
	t := Table{Title: g.title(), Text: 1, Head: []string{"serializer"}}
	var ops []string
	known := seen{}
	for _, v := range g.variants {
		for _, l := range v.lines {
			if op := l.Get("op"); known.isNew(op) {
				ops = append(ops, op)
				t.Head = append(t.Head, op+" ns")
			}
		}
	}
	t.Head = append(t.Head, "bytes")
	for _, v := range g.variants {
		t.Rows = append(t.Rows, v.codecRow(ops))
	}
	slices.SortStableFunc(t.Rows, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	return t
}

func (v *variant) codecRow(ops []string) []string {
	row := []string{v.label}
	for _, op := range ops {
		cell := missing
		for _, r := range v.points(none, metric{value: "ns/op", op: op}) {
			cell = withRange(r.values)
		}
		row = append(row, cell)
	}
	if sizes := v.points(none, metric{value: "encoded-B"}); len(sizes) > 0 {
		return append(row, digits(sizes[0].values[0]))
	}
	return append(row, missing)
}

// withRange is the median, and of several values how far they are from it.
func withRange(values []float64) string {
	if len(values) == 1 {
		return digits(values[0])
	}
	return fmt.Sprintf("%s ±%.0f %%", digits(median(values)), 100*spread(values))
}
