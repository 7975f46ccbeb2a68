package figure

import (
	"slices"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// part is a line of a part of a call.
func part(framework, side, name string, ns, samples float64) lines.Line {
	return line("Echo/framework="+framework+"/size=1KiB/conc=100/side="+side+"/part="+name, map[string]float64{"ns/op": ns, "samples": samples})
}

// partsTable is the one table of the parts of calls.
func partsTable(t *testing.T, r *Report) table.Table {
	t.Helper()
	list := r.TablesOf("anatomy")
	require.Len(t, list, 1)
	return list[0]
}

// partRow is what a table has of a part, or of what is below the parts.
func partRow(t *testing.T, r *Report, name string) []string {
	t.Helper()
	rows := partsTable(t, r).Plain()
	i := slices.IndexFunc(rows, func(row []string) bool { return row[0] == name })
	require.GreaterOrEqual(t, i, 0, name)
	return rows[i][1:]
}

// sixParts is six rounds of a server's parts, the write a little longer in each.
func sixParts() (list []lines.Line) {
	for round := range 6 {
		list = append(list, part("a", "server", "read", 3000, 30), part("a", "server", "write", 6000+100*float64(round), 60), part("a", "server", "rest", 0, 0))
	}
	return list
}

func TestPartsAddUpToTheirSide(t *testing.T) {
	r := report(sixParts()...)
	assert.Equal(t, []string{"3.00 ±0.00, 32.4 %"}, partRow(t, r, "read"))
	assert.Equal(t, []string{"6.25 ±0.25, 67.6 %"}, partRow(t, r, "write"))
	assert.Equal(t, []string{"9.25 ±0.25, 100.0 %"}, partRow(t, r, "whole"))
	assert.Equal(t, []string{"540"}, partRow(t, r, "samples"))
	assert.Len(t, partsTable(t, r).Rows, 4, "a part without a sample has no row")
}

func TestPartsOfARow(t *testing.T) {
	client := part("a", "client", "read", 1000, 200)
	for _, c := range []struct {
		about string
		list  []lines.Line
		row   string
		want  []string
	}{
		{"the client is before the server", []lines.Line{part("a", "server", "read", 3000, 300), client}, "read", []string{"1.00 ?, 100.0 %", "3.00 ?, 100.0 %"}},
		{"the cheapest framework is first, and its sides stay together", []lines.Line{client, part("a", "server", "read", 9000, 900), part("b", "client", "read", 4000, 400)}, "read", []string{"4.00 ?, 100.0 %", "1.00 ?, 100.0 %", "9.00 ?, 100.0 %"}},
		{"few samples are in brackets", []lines.Line{client, part("a", "client", "write", 500, 99)}, "write", []string{"(0.50 ?, 33.3 %)"}},
		{"of all rounds", []lines.Line{client, part("a", "client", "write", 500, 50), client, part("a", "client", "write", 700, 50)}, "write", []string{"0.60 ?, 37.5 %"}},
		{"a part without a line in a round took nothing there", []lines.Line{client, client, part("a", "client", "write", 1000, 200)}, "write", []string{"0.50 ?, 33.3 %"}},
		{"one side alone has it", []lines.Line{client, part("a", "server", "write", 2000, 200)}, "write", []string{"–", "2.00 ?, 100.0 %"}},
		{"a part of a later version is the rest", []lines.Line{client, part("a", "client", "new", 500, 200), part("a", "client", "rest", 500, 200)}, "rest", []string{"1.00 ?, 50.0 %"}},
		{"no sample at all", []lines.Line{part("a", "client", "read", 0, 0)}, "whole", []string{"0.00 ?"}},
	} {
		assert.Equal(t, c.want, partRow(t, report(c.list...), c.row), c.about)
	}
}

// TestSettingsAreSidesOfTheirOwn, as with GOGC=400 in the rounds of a file.
func TestSettingsAreSidesOfTheirOwn(t *testing.T) {
	usual, tuned := part("a", "client", "read", 1000, 200), part("a", "client", "read", 800, 200)
	usual.Config, tuned.Config = map[string]string{"gogc": "100"}, map[string]string{"gogc": "400"}
	got := partsTable(t, report(usual, tuned, usual, tuned))
	assert.Equal(t, []string{"µs of CPU", "a gogc 400 client", "a gogc 100 client"}, got.Head)
}

func TestBarsOfParts(t *testing.T) {
	c := section(t, report(
		part("a", "client", "write", 6000, 600), part("a", "client", "read", 3800, 380), part("a", "client", "poll", 100, 10), part("a", "client", "rest", 100, 10),
	), "anatomy").Figures[0].Charts[0]
	assert.True(t, c.Bars && c.Stacked)
	assert.Equal(t, []chart.Tick{{At: 0, Name: "read"}, {At: 1, Name: "write"}, {At: 19, Name: "other parts"}}, c.Ticks, "those below 2 % are summed")
	require.Len(t, c.Series, 1)
	assert.Equal(t, "a client", c.Series[0].Label)
	assert.Equal(t, []chart.Point{{0, 3800, 3800, 3800}, {1, 6000, 6000, 6000}, {19, 200, 200, 200}}, c.Series[0].Points)
}

// TestPartsAreInNoOtherTable or chart, and are no rows of which some may be wrong.
func TestPartsAreInNoOtherTable(t *testing.T) {
	list := []lines.Line{calls("Echo/framework=a/size=1KiB/conc=100", 30), calls("Echo/framework=b/size=1KiB/conc=100", 5)}
	alone, beside := report(list...), report(append(list, sixParts()...)...)
	assert.Equal(t, alone.Tables, beside.Tables)
	assert.Equal(t, alone.Rankings, beside.Rankings)
	assert.Equal(t, alone.Frameworks, beside.Frameworks)
	assert.Equal(t, alone.Doubts, beside.Doubts)
	assert.Equal(t, alone.Besides, beside.TablesOf(""))
	assert.Equal(t, alone.Sections, slices.DeleteFunc(beside.Sections, func(s chart.Section) bool { return s.ID == "anatomy" }))
	assert.Empty(t, beside.Unknown)
}
