package figure

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sixOf are six lines of a case in one file, of a machine that is slower from round to
// round. Each value is of a machine that is not.
func sixOf(file, name string, values map[string]float64) (list []lines.Line) {
	for round := range 6 {
		l := line(name, map[string]float64{})
		for unit, v := range values {
			l.Values[unit] = v * (1 + .2*float64(round))
		}
		l.Calls, l.At = 100_000, fmt.Sprintf("%s:%d", file, round+1)
		l.Config = map[string]string{"rank": "tcp=reference", "date": "2026-11-24"}
		list = append(list, l)
	}
	return list
}

// spends is what both sides take in CPU time.
func spends(client, server float64) map[string]float64 {
	return map[string]float64{"calls/s": 1000, "client-cpu-ns/op": client, "server-cpu-ns/op": server}
}

// titled returns the table of that title, and fails if there is none.
func titled(t *testing.T, r *Report, title string) table.Table {
	t.Helper()
	var titles []string
	for _, table := range r.Besides {
		if table.Title == title {
			return table
		}
		titles = append(titles, table.Title)
	}
	require.Fail(t, "no table", "%q, but %s", title, strings.Join(titles, "; "))
	return table.Table{}
}

// of returns lines that have a configuration line more.
func of(key, value string, list []lines.Line) []lines.Line {
	for _, l := range list {
		l.Config[key] = value
	}
	return list
}

// Lines that differ in more than what was added are rows of their own, with their bases.
func TestLayersOfLinesThatDiffer(t *testing.T) {
	for about, c := range map[string]struct {
		key, first, second, title, head string
		word                            string
	}{
		"packages":                  {"pkg", "x/a", "x/b", "Layers", "tls13", "package "},
		"pins":                      {"pin", "0/1", "off", "Layers", "tls13", "pin "},
		"kernels beside a setting":  {"kernel", "6.1", "6.2", "Runtime", "GOGC=off", "kernel "},
		"versions beside a setting": {"a", "v1.0.0", "v1.1.0", "Runtime", "GOGC=off", "a "},
	} {
		var list []lines.Line
		for i, value := range []string{c.first, c.second} {
			slower := float64(1 + i)
			base := of("gogc", "100", sixOf("a.txt", "Echo/framework=a/conc=1", spends(2000*slower, 1000)))
			more := of("gogc", "100", sixOf("a.txt", "Echo/framework=a/conc=1/with=tls13", spends(3000*slower, 1000)))
			if c.title == "Runtime" {
				more = of("gogc", "off", sixOf("a.txt", "Echo/framework=a/conc=1", spends(3000*slower, 1000)))
			}
			list = append(list, of(c.key, value, append(base, more...))...)
		}
		got := titled(t, report(list...), c.title+", CPU of the client: Echo, 1 caller")
		assert.Equal(t, []string{"framework", "base µs", c.head}, got.Head, about)
		assert.Equal(t, [][]string{
			{"a " + c.word + c.first, "3", "+1.50 (+50 %)"},
			{"a " + c.word + c.second, "6", "+3 (+50 %)"},
		}, got.Rows, about)
	}
}

func TestLayers(t *testing.T) {
	wild := sixOf("a.txt", "Echo/framework=b/with=otel/conc=1", spends(1, 1))
	for i, client := range []float64{2000, 2000, 2400, 3000, 3000, 1000} {
		wild[i].Values["client-cpu-ns/op"] = client * (1 + .2*float64(i))
	}
	var list []lines.Line
	for _, more := range [][]lines.Line{
		sixOf("a.txt", "Echo/framework=tcp/conc=1", spends(500, 500)),
		sixOf("a.txt", "Echo/framework=a/conc=1", spends(2000, 1000)),
		sixOf("a.txt", "Echo/framework=a/conc=1/with=otel", spends(2020, 1000)),
		sixOf("a.txt", "Echo/framework=a/conc=1/with=tls13", spends(3000, 1300)),
		sixOf("a.txt", "Echo/framework=a/conc=1/with=tls13_otel", spends(4000, 1250)),
		sixOf("a.txt", "Echo/framework=a/conc=1/with=gzip", spends(1000, 900)),
		sixOf("a.txt", "Echo/framework=b/conc=1", spends(2000, 1)),
		wild,
	} {
		list = append(list, more...)
	}
	got := titled(t, report(list...), "Layers, CPU of the client: Echo, 1 caller")
	assert.Equal(t, []string{"framework", "base µs", "tls13", "gzip", "otel", "tls13_otel"}, got.Head, "a stack is behind its layers")
	assert.Equal(t, [][]string{
		{"a", "3", "+1.50 (+50 %)", "−1.50 (−50 %)", "< 3 %", "+3 (+100 %)"},
		{"b", "3", "lacks", "lacks", "+0.3 ±1.8 (+10 ±60 %) ?", "lacks"},
		{"tcp", "0.750", "lacks", "lacks", "lacks", "lacks"},
	}, got.Rows, "the machine's slowness is in both of a round")
	assert.Contains(t, got.Note, "The rounds: 6.")
	assert.Contains(t, got.Note, "wider than ±10 % of the difference itself.")
	assert.Equal(t, []fact.Fact{{Key: "date", Value: "2026-11-24"}}, got.Measured)
	both := titled(t, report(list...), "Layers, CPU of both sides: Echo, 1 caller")
	assert.Equal(t, []string{"a", "4.50", "+1.95 (+43.3 %)", "−1.65 (−36.7 %)", "< 3 %", "+3.38 (+75 %)"}, both.Rows[0])
}

// TestMetadata is added as layers are, with them and alone.
func TestMetadata(t *testing.T) {
	list := sixOf("a.txt", "Echo/framework=a/conc=1", spends(2000, 1000))
	for i, keys := range []string{"/metadata=2", "/metadata=20-fresh", "/with=tls13", "/with=tls13/metadata=2"} {
		list = append(list, sixOf("a.txt", "Echo/framework=a/conc=1"+keys, spends(2000+1000*float64(i+1), 1000))...)
	}
	list = append(list, sixOf("a.txt", "Echo/framework=b/conc=1", spends(2000, 1000))...)
	got := titled(t, report(list...), "Layers, CPU of the client: Echo, 1 caller")
	assert.Equal(t, []string{"framework", "base µs", "tls13", "metadata=2", "metadata=20-fresh", "tls13_metadata=2"}, got.Head)
	assert.Equal(t, [][]string{
		{"a", "3", "+4.50 (+150 %)", "+1.50 (+50 %)", "+3 (+100 %)", "+6 (+200 %)"},
		{"b", "3", "lacks", "lacks", "lacks", "lacks"},
	}, got.Rows)
}

// TestChain is added as layers are, after metadata.
func TestChain(t *testing.T) {
	list := sixOf("a.txt", "Echo/framework=a/conc=1", spends(2000, 1000))
	for i, keys := range []string{"/chain=5", "/metadata=2", "/metadata=2/chain=5"} {
		list = append(list, sixOf("a.txt", "Echo/framework=a/conc=1"+keys, spends(2000+1000*float64(i+1), 1000))...)
	}
	got := titled(t, report(list...), "Layers, CPU of the client: Echo, 1 caller")
	assert.Equal(t, []string{"framework", "base µs", "metadata=2", "chain=5", "metadata=2_chain=5"}, got.Head)
	assert.Equal(t, [][]string{{"a", "3", "+3 (+100 %)", "+1.50 (+50 %)", "+4.50 (+150 %)"}}, got.Rows)
}

// TestFewRoundsHaveNoInterval, so that nothing is below the bound.
func TestFewRoundsHaveNoInterval(t *testing.T) {
	got := titled(t, report(
		sixOf("a.txt", "Echo/framework=a", spends(2000, 1000))[0], sixOf("a.txt", "Echo/framework=a/with=otel", spends(2000, 1500))[0],
	), "Layers, CPU of the client: Echo")
	assert.Equal(t, [][]string{{"a", "2", "0 (0 %) ?"}}, got.Rows)
	assert.Contains(t, got.Note, "It takes 6 rounds for an interval.")
}

// TestLayersOfOtherFigures have no bound.
func TestLayersOfOtherFigures(t *testing.T) {
	both := func(name string, base, other map[string]float64) []lines.Line {
		return append(sixOf("a.txt", name, base), sixOf("a.txt", name+"/with=mtls", other)...)
	}
	for _, c := range []struct {
		title string
		list  []lines.Line
		rows  [][]string
	}{
		{"Layers, p99: Load, 50% load", both("Load/framework=a/load=50%", map[string]float64{"calls/s": 9, "p99-ns": 2e6}, map[string]float64{"calls/s": 9, "p99-ns": 2.02e6}), [][]string{{"a", "3", "+0.030 (+1 %)"}}},
		{"Layers, bytes of a reply: Count, 1KiB", both("Count/framework=a/size=1KiB", map[string]float64{"request-wire-B/op": 40, "reply-wire-B/op": 100}, map[string]float64{"request-wire-B/op": 40, "reply-wire-B/op": 122}), [][]string{{"a", "150", "+33 (+22 %)"}}},
		{"Layers, first call: Dial, new clients", both("Dial/framework=a/down=none", map[string]float64{"calls/s": 9, "dial-ns": 1e6, "first-call-ns": 2e6}, map[string]float64{"calls/s": 9, "dial-ns": 1e6, "first-call-ns": 1e6}), [][]string{{"a", "3", "−1.50 (−50 %)"}}},
	} {
		assert.Equal(t, c.rows, titled(t, report(c.list...), c.title).Rows, c.title)
	}
}

// TestAPercentileOfTooFewCallsHasNoDifference as it is in no other table.
func TestAPercentileOfTooFewCallsHasNoDifference(t *testing.T) {
	list := append(sixOf("a.txt", "Load/framework=a/load=50%", map[string]float64{"calls/s": 9, "p99-ns": 2e6}),
		sixOf("a.txt", "Load/framework=a/load=50%/with=mtls", map[string]float64{"calls/s": 9, "p99-ns": 2e6})...)
	for i := range list {
		list[i].Calls = 1000
	}
	for _, table := range report(list...).Besides {
		assert.NotContains(t, table.Title, "p99")
	}
}

func TestHandshakes(t *testing.T) {
	dial := func(rate float64) map[string]float64 {
		return map[string]float64{"calls/s": rate, "dial-ns": 1e6, "first-call-ns": 5e5, "client-cpu-ns/op": 3e5, "server-cpu-ns/op": 4e5}
	}
	told := func(list []lines.Line, resumed float64) []lines.Line {
		for i := range list {
			list[i].Values["resumed-%"] = resumed
		}
		return list
	}
	var list []lines.Line
	for _, more := range [][]lines.Line{
		sixOf("a.txt", "Dial/framework=a/down=none", dial(4000)),
		told(sixOf("a.txt", "Dial/framework=a/down=none/handshake=full/with=tls13", dial(400)), 0),
		told(sixOf("a.txt", "Dial/framework=a/down=none/handshake=resumed/with=tls13", dial(800)), 100),
		told(sixOf("a.txt", "Dial/framework=a/down=none/handshake=full/with=mtls", dial(200)), 0),
		told(sixOf("a.txt", "Dial/framework=a/down=none/handshake=resumed/with=mtls", dial(200)), 0),
		sixOf("a.txt", "Dial/framework=b/down=none", dial(200)),
		told(sixOf("a.txt", "Dial/framework=c/down=none/handshake=full/with=tls13", dial(200)), 0),
		sixOf("a.txt", "Dial/framework=c/down=none/handshake=resumed/with=tls13", dial(200)),
		sixOf("a.txt", "Dial/framework=c/down=none", dial(4000)),
	} {
		list = append(list, more...)
	}
	r := report(list...)
	got := titled(t, r, "Layers, handshakes: Dial, new clients")
	assert.Equal(t, []string{"framework", "with", "full/s", "resumed/s"}, got.Head[:4])
	assert.Equal(t, [][]string{
		{"a", "tls13", "600", "1200", "1.50", "1.50", "0.750", "0.750", "450", "450", "600", "600"},
		{"a", "mtls", "300", "–", "1.50", "–", "0.750", "–", "450", "–", "600", "–"},
		{"c", "tls13", "300", "–", "1.50", "–", "0.750", "–", "450", "–", "600", "–"},
	}, got.Rows, "a library that does not say what it resumes is not shown as resuming")
	dials := titled(t, r, "Layers, dial: Dial, new clients")
	assert.Equal(t, []string{"framework", "base ms", "tls13 full", "tls13 resumed", "mtls full"}, dials.Head)
	assert.Equal(t, []string{"c", "1.50", "0 (0 %)", "–", "lacks"}, dials.Rows[2], "a session that is not resumed is no layer that is lacked")
}

// inRuns numbers the lines by the processes that printed them.
func inRuns(list []lines.Line, runs ...int) []lines.Line {
	for i := range list {
		list[i].Run = runs[i]
	}
	return list
}

// TestPairsAreOfOneRound, whatever is missing. The machine is slower from round to round.
func TestPairsAreOfOneRound(t *testing.T) {
	base := func(file string) []lines.Line {
		return inRuns(sixOf(file, "Echo/framework=a", spends(2000, 1000)), 1, 2, 3, 4, 5, 6)
	}
	layer := func(file, with string, client float64) []lines.Line {
		return inRuns(sixOf(file, "Echo/framework=a/with="+with, spends(client, 1000)), 1, 2, 3, 4, 5, 6)
	}
	failed := append(base("a.txt"), layer("a.txt", "otel", 3000)[3:]...)
	unlike := append(base("a.txt"), layer("a.txt", "tls13/handshake=full", 3000)...)
	for i := range unlike[6:] {
		unlike[6+i].Values["resumed-%"] = map[bool]float64{true: 100}[i < 3]
	}
	for _, c := range []struct {
		about string
		list  []lines.Line
		row   []string
		note  string
	}{
		{"a round without its layered line", failed, []string{"a", "3", "+1.50 (+50 %) ?"}, "The rounds: 3."},
		{"rounds whose handshakes are unlike", unlike, []string{"a", "3", "+1.50 (+50 %) ?"}, "The rounds: 3."},
		{
			"two files with a layer each", slices.Concat(base("a.txt"), layer("a.txt", "tls13", 3000), base("b.txt"), layer("b.txt", "gzip", 4000)),
			[]string{"a", "3", "+1.50 (+50 %)", "+3 (+100 %)"},
			"The rounds: 6.",
		},
		{"cells of several numbers of rounds", append(layer("a.txt", "tls13", 3000), failed...), []string{"a", "3", "+1.50 (+50 %)", "+1.50 (+50 %) ?"}, "The rounds: 3–6."},
	} {
		got := titled(t, report(c.list...), "Layers, CPU of the client: Echo")
		assert.Equal(t, [][]string{c.row}, got.Rows, c.about)
		assert.Contains(t, got.Note, c.note, c.about)
	}
}

// TestLacks is said of variants that were run where others have the layer, and of no other.
func TestLacks(t *testing.T) {
	bare := func(file, framework string) []lines.Line {
		return sixOf(file, "Echo/framework="+framework, spends(2000, 1000))
	}
	layered := append(bare("a.txt", "a"), sixOf("a.txt", "Echo/framework=a/with=otel", spends(4000, 1000))...)
	for _, c := range []struct {
		about string
		text  lines.Text
		cell  string
	}{
		{"nothing has it", lines.Text{Lines: append(layered, bare("a.txt", "b")...)}, "lacks"},
		{"it failed", lines.Text{Lines: append(layered, bare("a.txt", "b")...), Notes: []lines.Note{{Name: "BenchmarkEcho/framework=b/with=otel", Text: "it failed and has no result"}}}, "–"},
		{"another benchmark has it", lines.Text{Lines: slices.Concat(layered, bare("a.txt", "b"), sixOf("a.txt", "Message/framework=b/with=otel", spends(1, 1)))}, "–"},
		{"it was not tried", lines.Text{Lines: slices.Concat(layered, bare("b.txt", "b"), sixOf("b.txt", "Echo/framework=c/with=gzip", spends(1, 1)), bare("b.txt", "c"))}, "–"},
	} {
		got := titled(t, New(&c.text, nil), "Layers, CPU of the client: Echo")
		assert.Equal(t, []string{"b", "3", c.cell}, slices.Delete(got.Rows[1], 2, len(got.Rows[1])-1), c.about)
	}
}

// TestSettingsAreAddedAsLayersAre where one case was run with several.
func TestSettingsAreAddedAsLayersAre(t *testing.T) {
	var list []lines.Line
	for _, c := range []struct {
		pgo, gogc, limit string
		client           float64
	}{{"not told", "100", "none", 1000}, {"cpu.pgo", "100", "none", 900}, {"not told", "off", "67108864", 500}} {
		values := map[string]float64{"calls/s": 1, "client-cpu-ns/op": c.client, "server-cpu-ns/op": 100, "server-rss-B": 1e7}
		for _, l := range sixOf("a.txt", "Echo/framework=a", values) {
			l.Config["pgo"], l.Config["gogc"], l.Config["gomemlimit"] = c.pgo, c.gogc, c.limit
			list = append(list, l)
		}
	}
	r := report(list...)
	got := titled(t, r, "Runtime, CPU of the client: Echo")
	assert.Equal(t, []string{"framework", "base µs", "PGO", "GOGC=off GOMEMLIMIT=64MiB"}, got.Head)
	assert.Equal(t, [][]string{{"a", "1.50", "−0.150 (−10 %)", "−0.750 (−50 %)"}}, got.Rows)
	assert.Equal(t, [][]string{{"a", "15", "0 (0 %)", "0 (0 %)"}}, titled(t, r, "Runtime, memory of the server: Echo").Rows)
	assert.Empty(t, r.Tables, "lines of one name that differ in nothing that their names tell")
}

// TestRoundsOfSettingsThatAreMissing leave no difference: which those are nothing tells.
func TestRoundsOfSettingsThatAreMissing(t *testing.T) {
	set := func(gogc string, client float64, rounds int) []lines.Line {
		list := sixOf("a.txt", "Echo/framework=a", spends(client, 100))[:rounds]
		for i := range list {
			list[i].Config["gogc"] = gogc
		}
		return list
	}
	got := titled(t, report(slices.Concat(set("100", 1000, 6), set("200", 900, 6), set("400", 800, 5))...), "Runtime, CPU of the client: Echo")
	assert.Equal(t, []string{"framework", "base µs", "GOGC=200"}, got.Head)
	assert.Contains(t, got.Note, "–: rounds are missing.")
	untold := set("100", 1000, 6)
	for i := range untold {
		delete(untold[i].Config, "gogc")
	}
	got = titled(t, report(append(untold, set("200", 900, 6)...)...), "Runtime, CPU of the client: Echo")
	assert.Equal(t, []string{"framework", "base µs", "GOGC=200"}, got.Head, "the base is what the first line tells")
}

// TestLayersStandApart from the lines of other files: their bases would change the medians
// of these.
func TestLayersStandApart(t *testing.T) {
	bare, own := sixOf("a.txt", "Echo/framework=a", spends(2000, 1000)), sixOf("b.txt", "Echo/framework=a", spends(1000, 1000))
	layer := sixOf("a.txt", "Echo/framework=a/with=otel", spends(4000, 1000))
	for _, c := range []struct {
		about string
		list  []lines.Line
		rows  int
	}{
		{"alone they are in the other tables as well", append(bare, layer...), 2},
		{"beside others they are not", slices.Concat(bare, layer, own), 1},
	} {
		r := report(c.list...)
		require.Len(t, r.Tables, 1, c.about)
		assert.Len(t, r.Tables[0].Rows, c.rows, c.about)
		assert.Equal(t, [][]string{{"a", "3", "+3 (+100 %)"}}, titled(t, r, "Layers, CPU of the client: Echo").Rows, c.about)
	}
}

// TestLayersWithoutABase are in the other tables, as lines with anything else.
func TestLayersWithoutABase(t *testing.T) {
	r := report(append(sixOf("a.txt", "Echo/framework=a", spends(2000, 1000)), sixOf("b.txt", "Echo/framework=a/with=otel", spends(4000, 1000))...)...)
	require.Len(t, r.Tables, 1)
	assert.Len(t, r.Tables[0].Rows, 2)
	assert.Contains(t, r.Absent, Absent{"Layers", "no lines with with= beside others: run benchmarks with -with=tls13 and give their text as well"})
}
