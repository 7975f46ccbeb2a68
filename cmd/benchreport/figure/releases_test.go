package figure

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inRecord are six rounds of a release, of a machine that is slower from round to round.
func inRecord(name, version string, values map[string]float64) []lines.Line {
	list := sixOf("record.txt", name, values)
	for i := range list {
		list[i].Config = map[string]string{
			"history": "1", "kind": "versions", "run": "20261124T051500Z", "versions": "m/a@v1.0.0 m/a@v2.0.0 m/b@v0.1.0 b-now gone",
			"version": version, "round": string(rune('1' + i)), "rank": "tcp=reference", "version-key": "std=go", "go": "go1.26.8", "b": "v9.0.0",
		}
	}
	return list
}

func TestReleases(t *testing.T) {
	var list []lines.Line
	for _, more := range [][]lines.Line{
		inRecord("Echo/framework=tcp/conc=1", "reference", spends(250, 250)),
		inRecord("Echo/framework=std/conc=1", "netrpc", spends(1000, 500)),
		inRecord("Echo/framework=b/conc=1", "b-now", spends(1200, 600)),
		inRecord("Echo/framework=b/conc=1", "m/b@v0.1.0", spends(900, 900)),
		inRecord("Echo/framework=a/conc=1", "m/a@v2.0.0", spends(2000, 1000)),
		inRecord("Echo/framework=a/conc=1", "m/a@v1.0.0", spends(1000, 1000)),
	} {
		list = append(list, more...)
	}
	r := report(list...)
	got := titled(t, r, "Releases, CPU of both sides: Echo, 1 caller")
	assert.Equal(t, []string{"framework", "version", "µs", "× newest", "× a v1.0.0", "× a v2.0.0"}, got.Head)
	assert.Equal(t, [][]string{
		{"a", "v1.0.0", "3", "0.67 ±0.00", "1", "0.67 ±0.00"},
		{"a", "v2.0.0", "4.50", "1", "1.50 ±0.00", "1"},
		{"b", "v0.1.0", "2.70", "1.00 ±0.00", "0.90 ±0.00", "0.60 ±0.00"},
		{"b", "v9.0.0", "2.70", "1", "0.90 ±0.00", "0.60 ±0.00"},
		{"std", "go1.26.8", "2.25", "1", "0.75 ±0.00", "0.50 ±0.00"},
		{"tcp", "reference", "0.750", "1", "0.25 ±0.00", "0.17 ±0.00"},
	}, got.Rows, "oldest first, the reference last, and pairs are of one round")
	assert.Contains(t, got.Note, "(the median of pairwise means, 6 rounds)")
	assert.Equal(t, fact.Fact{Key: "date", Value: "2026-11-24"}, got.Measured[0])
	assert.Equal(t, got.Measured, r.Measured)
	assert.Empty(t, r.Frameworks, "they are in no other table")
	assert.Empty(t, r.Remarks)
}

// A release's lines that were measured otherwise are rows of their own.
func TestReleasesOfLinesThatDiffer(t *testing.T) {
	for about, c := range map[string]struct{ key, first, second, word string }{
		"packages of a release": {"pkg", "x/a", "x/b", "package "},
		"pins":                  {"pin", "0/1", "off", "pin "},
		"settings":              {"gogc", "100", "off", "gogc "},
	} {
		list := append(of(c.key, c.first, inRecord("Echo/framework=a/conc=1", "m/a@v1.0.0", spends(1000, 1000))),
			of(c.key, c.second, inRecord("Echo/framework=a/conc=1", "m/a@v1.0.0", spends(3000, 1000)))...)
		var names []string
		for _, row := range titled(t, report(list...), "Releases, CPU of the client: Echo, 1 caller").Rows {
			names = append(names, row[0]+", "+row[2])
		}
		assert.Equal(t, []string{"a " + c.word + c.first + ", 1.50", "a " + c.word + c.second + ", 4.50"}, names, about)
	}
	frozen := append(of("pkg", "x/a/frozen", inRecord("Echo/framework=a/conc=1", "m/a@v1.0.0", spends(1000, 1000))),
		of("pkg", "x/a", inRecord("Echo/framework=a/conc=1", "m/a@v2.0.0", spends(2000, 1000)))...)
	got := titled(t, report(frozen...), "Releases, CPU of the client: Echo, 1 caller").Rows
	assert.Equal(t, []string{"a", "v1.0.0", "1.50", "0.50 ±0.00"}, got[0][:4], "an adapter of its own is no other row")
}

// TestReleasesAreApart from lines of the same names.
func TestReleasesAreApart(t *testing.T) {
	text := &lines.Text{
		Lines: append(inRecord("Echo/framework=a/conc=1", "m/a@v1.0.0", spends(9, 9)), sixOf("b.txt", "Echo/framework=c/conc=1", spends(1, 1))...),
		Notes: []lines.Note{{Name: "BenchmarkEcho/framework=a/conc=1", Text: "a stall"}, {Name: "BenchmarkEcho/framework=c/conc=1", Text: "a pause"}},
	}
	r := New(text, nil)
	assert.Equal(t, []string{"c"}, r.Frameworks)
	require.Len(t, r.Doubts.Reasons, 1)
	assert.Equal(t, "a pause", r.Doubts.Reasons[0].Text)
}

// TestReleasesOfFewRounds have no interval, those of other rounds no ratio, and a quantity
// that was not measured no table.
func TestReleasesOfFewRounds(t *testing.T) {
	a, b, c := inRecord("Echo/framework=a", "m/a@v1.0.0", spends(2, 2)), inRecord("Echo/framework=a", "m/a@v2.0.0", spends(2, 1)), inRecord("Echo/framework=b", "b-now", spends(1, 1))
	r := report(append(a[:3:3], b[2], c[5])...)
	got := titled(t, r, "Releases, CPU of both sides: Echo")
	assert.Equal(t, [][]string{
		{"a", "v1.0.0", "0.005", "1.33 ?", "1", "1.33 ?"},
		{"a", "v2.0.0", "0.004", "1", "0.75 ?", "1"},
		{"b", "v9.0.0", "0.004", "1", "–", "–"},
	}, got.Rows)
	assert.Contains(t, got.Note, "1 rounds")
	assert.Contains(t, got.Note, "?: it takes 6 rounds for an interval.")
	for _, table := range r.Besides {
		assert.NotContains(t, table.Title, "p99")
	}
}

// TestReleasesOfCommits have the names of commits, whatever a framework's version is.
func TestReleasesOfCommits(t *testing.T) {
	list := append(inRecord("Echo/framework=b", "b-now", spends(2, 2)), inRecord("Echo/framework=b", "gone", spends(2, 2))...)
	for _, l := range list {
		l.Config["kind"] = "commits"
	}
	got := titled(t, report(list...), "Releases, calls/s: Echo")
	assert.Equal(t, []string{"b-now", "gone"}, []string{got.Rows[0][1], got.Rows[1][1]})
}
