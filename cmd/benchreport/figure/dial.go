package figure

const (
	aboutFirstCalls = "New clients, one after the other: the time until the first reply, and the medians of its two parts. Medians of all rounds; ± is how far they are from it."
	aboutRestarts   = "From when a killed server was up again until a call of its old client succeeded, and the calls that failed in that time. Medians of all rounds; ± is how far they are from it."
)

// dials are first calls of new clients, or the ways back to a server that was restarted:
// the fastest first, and references last.
func (g *lineGroup) dials() Table {
	t := Table{Title: g.title(), Text: 1, Note: aboutFirstCalls, Head: []string{"framework"}}
	columns, by := firstCallColumns, "p50-ns"
	if g.restarts() {
		t.Note, columns, by = aboutRestarts, restartColumns, "reconnect-ns"
	}
	g.sortBy(by)
	for _, v := range g.variants {
		t.Rows = append(t.Rows, []string{v.label})
	}
	for _, c := range columns {
		t.Head = append(t.Head, c.head)
		for i, v := range g.variants {
			t.Rows[i] = append(t.Rows[i], v.ranged(c.unit, c.size))
		}
	}
	return t
}

// sized is a column in units of a size.
type sized struct {
	head, unit string
	size       float64
}

var (
	firstCallColumns = []sized{
		{"new client p50 ms", "p50-ns", 1e6},
		{"p99 ms", "p99-ns", 1e6},
		{"dial ms", "dial-ns", 1e6},
		{"first call ms", "first-call-ns", 1e6},
		{"client CPU µs", "client-cpu-ns/op", 1e3},
		{"server CPU µs", "server-cpu-ns/op", 1e3},
	}
	restartColumns = []sized{
		{"reconnect ms", "reconnect-ns", 1e6},
		{"slowest ms", "max-ns", 1e6},
		{"failed calls", "failed-calls", 1},
		{"reconnects", "reconnects", 1},
	}
)

// restarts reports whether the servers of all lines were restarted.
func (g *lineGroup) restarts() bool {
	_, ok := g.variants[0].lines[0].Values["reconnects"]
	return ok
}

// ranged is the median in units of a size, and of several values how far they are from it.
func (v *variant) ranged(unit string, size float64) string {
	values := v.values(unit)
	if len(values) == 0 {
		return missing
	}
	scaled := make([]float64, len(values))
	for i, value := range values {
		scaled[i] = value / size
	}
	return withRange(scaled)
}
