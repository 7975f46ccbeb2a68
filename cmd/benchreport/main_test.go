package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// played says that this binary is to be the command.
const played = "BENCHREPORT_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(played) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command runs the command and returns what it said.
func command(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), played+"=1")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

var sample = []string{"testdata/bench.txt", "testdata/codecs.txt", "-results", "testdata/records"}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

func TestPageAndTables(t *testing.T) {
	html := filepath.Join(t.TempDir(), "report.html")
	tables, stderr, code := command(t, append(sample, "-o", html, "-markdown", "-", "-title", "A & B")...)
	require.Equal(t, "", stderr)
	require.Zero(t, code)

	page := content(t, html)
	assert.Less(t, len(page), 2_000_000)
	assert.Contains(t, page, "<h1>A &amp; B</h1>")
	assert.Contains(t, page, "<dt>grpc</dt><dd>v1.85.0</dd>")
	assert.Contains(t, page, "default-src &#39;none&#39;", "nothing can be fetched")
	assert.Contains(t, tables, "| grpc protobuf | 100 | ")
	assert.Contains(t, tables, "| framework | callers | CPU µs | client CPU µs | server CPU µs | calls/s | mean ms | p50 ms | p99 ms | p99.9 ms | max ms |")
	assert.Contains(t, tables, "| \\# | serializer | time ns, encode | time ns, decode | time ns, sum |")
}

// TestRecordsAlone make a page and a table, without a text of lines.
func TestRecordsAlone(t *testing.T) {
	html := filepath.Join(t.TempDir(), "report.html")
	table, stderr, code := command(t, "-results", "testdata/records", "-o", html, "-table", "-")
	require.Zero(t, code, stderr)
	assert.Contains(t, table, "\nother serializers: kitex thrift ")
	assert.Contains(t, table, "\nRuns; 8 of a load generator\n")
	assert.Contains(t, content(t, html), `<section id="percentiles">`)
}

// TestRecordsByThemselves are files beside or instead of texts.
func TestRecordsByThemselves(t *testing.T) {
	dir := t.TempDir()
	files, err := filepath.Glob("testdata/records/*grpc*.json")
	require.NoError(t, err)
	for _, args := range [][]string{files, {"-results", files[0], files[1]}} {
		table, stderr, code := command(t, append(args, "-o", filepath.Join(dir, "report.html"), "-table", "-")...)
		require.Zero(t, code, stderr)
		assert.Contains(t, table, "\nRuns; 2 of a load generator\n")
		assert.Contains(t, content(t, filepath.Join(dir, "report.html")), `<section id="percentiles">`)
	}
	tables, stderr, code := command(t, append(files, "testdata/bench.txt", "-markdown", "-", "-o", filepath.Join(dir, "report.html"))...)
	require.Zero(t, code, stderr)
	assert.NotContains(t, tables, "## Runs", "beside a text they are what stands behind its lines")
	assert.NotContains(t, tables, "are left out")
	assert.Contains(t, content(t, filepath.Join(dir, "report.html")), `<section id="percentiles">`)
}

// TestAResultOfAMix, as json.Marshal writes it, stands in every output whatever its parts are
// called.
func TestAResultOfAMix(t *testing.T) {
	html := filepath.Join(t.TempDir(), "report.html")
	tables, stderr, code := command(t, "testdata/mix.json", "-o", html, "-markdown", "-", "-title", "x")
	require.Zero(t, code, stderr)
	assert.Contains(t, tables, "| mix | 5.07 | 4.59–5.55 | ")
	assert.Contains(t, tables, `| a \| &lt;i&gt;b&lt;/i&gt;\\n日本 | `)
	assert.Contains(t, tables, "\n| failed calls, login | 12 × reset by peer |\n")
	assert.Contains(t, tables, "- 1 of 4 rows: the generator was late\n")
	page := content(t, html)
	for _, has := range []string{`<section id="series">`, "<div>GET /users/*</div>", `a | &lt;i&gt;b&lt;/i&gt;\n日本`, "1 of 4 rows: the generator was late", "<b>failed calls, login</b> 12 × reset by peer"} {
		assert.Contains(t, page, has)
	}
	table, stderr, code := command(t, "testdata/mix.json", "-table", "-")
	require.Zero(t, code, stderr)
	assert.Contains(t, table, "\nlogin  ")
	assert.Contains(t, table, "\nwarning: the generator was late (1 of 4 rows)\n")
}

// TestPartsOfACallAlone make a page, pictures and a table in Markdown, and nothing is ranked.
func TestPartsOfACallAlone(t *testing.T) {
	dir := t.TempDir()
	tables, stderr, code := command(t, "testdata/anatomy.txt", "-o", filepath.Join(dir, "report.html"), "-svg", dir, "-markdown", "-")
	require.Zero(t, code, stderr)
	assert.Contains(t, tables, "\n| stacks | – | (0.04 ±0.00, 0.5 %) | (0.10 ±0.00, 0.5 %) | 2.64 ±0.09, 14.1 % |\n")
	page := content(t, filepath.Join(dir, "report.html"))
	assert.Contains(t, page, `<section id="anatomy">`)
	assert.NotContains(t, page, `<section id="besides">`)
	assert.Contains(t, content(t, filepath.Join(dir, "anatomy-echo-1kib-100-callers-dark.svg")), ">scheduler</text>")
	text, stderr, code := command(t, "testdata/anatomy.txt", "-table", "-")
	require.Zero(t, code, stderr)
	assert.Contains(t, text, "nothing is ranked by these lines: -markdown has their tables\n")
}

// The binaries of frameworks print one after the other into a file, each with its own
// version, and one may have ended by a panic.
func TestSectionsOfSeveralProcesses(t *testing.T) {
	section := func(name, version, end string) string {
		return "Unit calls/s better=higher\ngoos: linux\npkg: p/" + name + "\n" + name + ": " + version +
			"\nBenchmarkEcho/framework=" + name + "/size=1KiB/conc=1 \t 10 \t 100 ns/op \t 9 calls/s\n" + end
	}
	dir := t.TempDir()
	text, html := filepath.Join(dir, "bench.txt"), filepath.Join(dir, "report.html")
	require.NoError(t, os.WriteFile(text, []byte(section("grpc", "v1.85.0", "panic: x\n")+section("rpcx", "v1.9.4", "PASS\n")+section("grpc", "v1.85.0", "PASS\n")), 0o600))
	tables, stderr, code := command(t, "-o", html, "-markdown", "-", text)
	require.Equal(t, "", stderr)
	require.Zero(t, code)
	page := content(t, html)
	assert.Contains(t, page, "<dt>grpc</dt><dd>v1.85.0</dd>")
	assert.Contains(t, page, "<dt>rpcx</dt><dd>v1.9.4</dd>")
	assert.NotContains(t, page, "taken together")
	assert.Contains(t, tables, "| grpc | 1 | ")
	assert.Contains(t, tables, "| rpcx | 1 | ")
}

// Lines of one name that were measured otherwise are rows of their own, in every output.
func TestLinesThatDifferAreTwoRows(t *testing.T) {
	const echo, codec = "BenchmarkEcho/framework=grpc/size=1KiB/conc=1", "BenchmarkCodec/codec=json/msg=bench/op=marshal_fresh"
	for about, c := range map[string]struct {
		text string
		rows []string
	}{
		"go test -cpu=1,8":        {codec + " 1 1000 ns/op\n" + codec + "-8 1 100 ns/op\n", []string{"json 1 proc | 1000", "json 8 procs | 100"}},
		"two packages":            {"pkg: x/a\n" + echo + " 1 50 calls/s\nPASS\npkg: x/b\n" + echo + " 1 30 calls/s\n", []string{"grpc package x/a | 1 | 50", "grpc package x/b | 1 | 30"}},
		"pinned and not":          {"pin: 0/1\n" + echo + " 1 50 calls/s\npin: off\n" + echo + " 1 30 calls/s\n", []string{"grpc pin 0/1 | 1 | 50", "grpc pin off | 1 | 30"}},
		"two versions":            {"grpc: v1.7.0\n" + echo + " 1 50 calls/s\ngrpc: v1.8.0\n" + echo + " 1 30 calls/s\n", []string{"grpc grpc v1.7.0 | 1 | 50", "grpc grpc v1.8.0 | 1 | 30"}},
		"repeats are still a row": {echo + "-2 1 50 calls/s\n" + echo + "-2 1 30 calls/s\n", []string{"grpc | 1 | 40"}},
	} {
		dir := t.TempDir()
		text, html := filepath.Join(dir, "out.txt"), filepath.Join(dir, "report.html")
		require.NoError(t, os.WriteFile(text, []byte("goos: linux\n"+c.text), 0o600), about)
		tables, stderr, code := command(t, "-o", html, "-markdown", "-", text)
		require.Zero(t, code, stderr)
		page := content(t, html)
		for _, row := range c.rows {
			assert.Contains(t, tables, "| "+row+" |", about)
			label, _, _ := strings.Cut(row, " |")
			assert.Contains(t, page, label, about)
		}
	}
}

// without writes a copy of a text that lacks the lines of some benchmarks.
func without(t *testing.T, text string, benchmarks ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "some.txt")
	some := ""
	for line := range strings.Lines(content(t, text)) {
		if !slices.ContainsFunc(benchmarks, func(name string) bool { return strings.HasPrefix(line, name) }) {
			some += line
		}
	}
	require.NoError(t, os.WriteFile(path, []byte(some), 0o666))
	return path
}

func TestPictures(t *testing.T) {
	svg := filepath.Join(t.TempDir(), "pictures")
	text := without(t, "testdata/bench.txt", "BenchmarkRate", "BenchmarkMessage")
	_, stderr, code := command(t, text, "-results", "testdata/records", "-svg", svg)
	require.Equal(t, "", stderr)
	require.Zero(t, code)
	for _, name := range []string{"throughput-echo-1kib", "latency-p99-echo-1kib", "percentiles-echo-1kib-100-callers", "cpu-client-echo-1kib-100-callers-dark"} {
		picture := content(t, filepath.Join(svg, name+".svg"))
		assert.True(t, strings.HasPrefix(picture, "<svg "), name)
		assert.Contains(t, picture, "kitex", name)
		assert.NotContains(t, picture, ">tcp", "%s: raw TCP is left out", name)
		assert.Contains(t, picture, "without tcp", "%s: and that is said", name)
	}
	assert.Contains(t, content(t, filepath.Join(svg, "throughput-echo-1kib.svg")), "Throughput against callers")
	assert.NotContains(t, content(t, filepath.Join(svg, "cpu-client-echo-1kib-100-callers.svg")), "against", "rows are against nothing")
}

// TestPicturesLeaveOutWhatStandsBeside a ranked row, which the page shows.
func TestPicturesLeaveOutWhatStandsBeside(t *testing.T) {
	dir := t.TempDir()
	text, html := filepath.Join(dir, "out.txt"), filepath.Join(dir, "report.html")
	require.NoError(t, os.WriteFile(text, []byte("rank: a/mux=beside\nBenchmarkEcho/framework=a/transport=mux/conc=1 1 7 calls/s\n"+
		"BenchmarkEcho/framework=a/transport=pool/conc=1 1 8 calls/s\nBenchmarkEcho/framework=b/transport=mux/conc=1 1 9 calls/s\n"), 0o666))
	tables, stderr, code := command(t, text, "-svg", dir, "-o", html, "-markdown", "-")
	require.Zero(t, code, stderr)
	picture := content(t, filepath.Join(dir, "throughput-echo-1-caller.svg"))
	assert.Contains(t, picture, ">a pool<")
	assert.NotContains(t, picture, ">a mux<")
	assert.Contains(t, tables, "| a mux |")
}

// TestEveryBenchmarkHasAChart reads lines of all benchmarks that have an axis
// of their own.
func TestEveryBenchmarkHasAChart(t *testing.T) {
	html := filepath.Join(t.TempDir(), "report.html")
	_, stderr, _ := command(t, "testdata/axes.txt", "testdata/codecs.txt", "testdata/footprint.txt", "testdata/anatomy.txt", "testdata/cores.txt", "-o", html)
	require.Equal(t, "", stderr)
	page := content(t, html)
	for _, id := range []string{"throughput", "latency", "size", "cores", "capacity", "load", "overload", "bulk", "stall", "workload", "cpu", "anatomy", "failed", "codec", "besides"} {
		assert.Contains(t, page, `<section id="`+id+`">`)
	}
	assert.Contains(t, page, "<summary>Not shown: 7 parts</summary>", "and the rest is listed at the foot")
	assert.Contains(t, page, "<span>2026-11-22 and 2026-11-21</span>", "of both texts")
	assert.Contains(t, page, "<span>commit 8030a1b</span>")
	assert.Contains(t, page, " rows: ", "what makes figures wrong is told in one line")
}

// TestTablesInTheTree holds the documents and the tables of testdata to the lines
// there.
func TestTablesInTheTree(t *testing.T) {
	lines, err := filepath.Glob("../../testdata/results/*.txt")
	require.NoError(t, err)
	assertWritten(t, lines, []string{"../../README.md"}, "make results/pictures")
	records, err := filepath.Glob("../../testdata/results/history/article-*.txt")
	require.NoError(t, err)
	assertWritten(t, records[max(len(records)-1, 0):], []string{"../../testdata/results/article.md"}, "make results/article")
	tables, _, _ := command(t, append(lines, "-results", "../../testdata/results/records", "-markdown", "-")...)
	assert.Equal(t, tables, content(t, "../../testdata/results/tables.md"), "and these")
	costs, err := filepath.Glob("../../testdata/results/costs/*.txt")
	require.NoError(t, err)
	tables, _, _ = command(t, append(costs, "-markdown", "-")...)
	assert.Equal(t, tables, content(t, "../../testdata/results/costs.md"), "and these of costs")
}

// assertWritten reports documents whose tables are not those of the lines.
func assertWritten(t *testing.T, lines, documents []string, by string) {
	t.Helper()
	var copies []string
	for _, document := range documents {
		copies = append(copies, filepath.Join(t.TempDir(), "copy.md"))
		require.NoError(t, os.WriteFile(copies[len(copies)-1], []byte(content(t, document)), 0o666))
	}
	_, stderr, _ := command(t, append(slices.Clone(lines), "-readme", strings.Join(copies, ","))...)
	require.Equal(t, "", stderr)
	for i, document := range documents {
		assert.Equal(t, content(t, copies[i]), content(t, document), "%s writes it anew", by)
	}
}

// TestNoReadmeIsWrittenIfOneIsWrong since what was asked for is not half done.
func TestNoReadmeIsWrittenIfOneIsWrong(t *testing.T) {
	dir := t.TempDir()
	right, wrong := filepath.Join(dir, "right.md"), filepath.Join(dir, "wrong.md")
	const old = "<!-- table:begin Footprint -->\n<!-- table:end -->\n"
	require.NoError(t, os.WriteFile(right, []byte(old), 0o666))
	require.NoError(t, os.WriteFile(wrong, nil, 0o666))
	_, stderr, code := command(t, "testdata/footprint.txt", "-readme", right+","+wrong)
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, wrong)
	assert.Equal(t, old, content(t, right))
	_, stderr, code = command(t, "testdata/footprint.txt", "-readme", right)
	assert.Zero(t, code, stderr)
	assert.Contains(t, content(t, right), "| grpc | 11.6 |")
}

func TestReadme(t *testing.T) {
	for _, c := range []struct{ about, before, starts, ends, say string }{
		{
			"all between the two lines is written anew", "a\n<!-- table:begin Echo, 1KiB, 100 callers -->\nold\n<!-- table:end -->\nb\n",
			"a\n<!-- table:begin Echo, 1KiB, 100 callers -->\n```text\nEcho, 1KiB, 100 callers; 1 core a side, medians of 2 rounds\n", "go1.26.8\n```\n<!-- table:end -->\nb\n", "",
		},
		{
			"of several tables each", "<!-- table:begin Echo, 1KiB, 1 caller -->\n<!-- table:end -->\n<!-- table:begin Message, 100 callers -->\n<!-- table:end -->\n",
			"<!-- table:begin Echo, 1KiB, 1 caller -->\n```text\nEcho, 1KiB, 1 caller; 1 core a side, medians of 2 rounds\n", "go1.26.8\n```\n<!-- table:end -->\n", "",
		},
		{"a table needs lines", "<!-- table:begin Ech -->\n<!-- table:end -->\n", "", "", `no lines of "Ech": there are Echo, 1KiB, 1 caller; Echo, 1KiB, 10 callers; `},
		{"and an end", "<!-- table:begin Echo, 1KiB, 1 caller -->\n", "", "", "no line <!-- table:begin PANEL -->, followed by <!-- table:end -->"},
	} {
		t.Run(c.about, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "README.md")
			require.NoError(t, os.WriteFile(path, []byte(c.before), 0o666))
			_, stderr, code := command(t, "testdata/bench.txt", "-readme", path)
			if c.say != "" {
				assert.Equal(t, 1, code)
				assert.Contains(t, stderr, "benchreport: -readme: "+path+": "+c.say)
				assert.Equal(t, c.before, content(t, path))
				return
			}
			require.Equal(t, "", stderr)
			after := content(t, path)
			assert.True(t, strings.HasPrefix(after, c.starts), after)
			assert.True(t, strings.HasSuffix(after, c.ends), after)
			assert.Equal(t, strings.Count(c.before, "table:end"), strings.Count(after, "\nfloor: tcp "), after)
		})
	}
}

func TestWhatIsAbsentIsSaid(t *testing.T) {
	html := filepath.Join(t.TempDir(), "report.html")
	_, stderr, _ := command(t, "testdata/codecs.txt", "-o", html)
	require.Equal(t, "", stderr)
	page := content(t, html)
	for _, why := range []string{"no line has calls/s", "no line has an offered rate", "no records: run the benchmarks with -results=DIR", "no line has client-cpu-ns/op", "no lines of BenchmarkBulk", "no lines of BenchmarkFootprint: run make footprint"} {
		assert.Contains(t, page, why)
	}
	assert.NotContains(t, page, "no lines of BenchmarkCodec")
}

func TestBadCommandLines(t *testing.T) {
	dir := t.TempDir()
	other, events := filepath.Join(dir, "package.json"), filepath.Join(dir, "out.json")
	require.NoError(t, os.WriteFile(other, []byte(`{"name":"x","version":"1"}`), 0o666))
	require.NoError(t, os.WriteFile(events, []byte(`{"Time":"2026-11-25T03:00:00Z","Action":"start","Package":"p"}`), 0o666))
	for name, c := range map[string]struct {
		args []string
		code int
		say  string
	}{
		"no text":                {nil, 2, "no file of benchmark lines or records given; see -h"},
		"a README of records":    {[]string{"-results", "testdata/records", "-readme", "x"}, 2, "-readme needs the file of the lines as well: records have what stands behind them"},
		"unknown benchmarks":     {[]string{"testdata/unknown.txt", "-markdown", "-"}, 1, "testdata/unknown.txt: there is no table of BenchmarkBuild, BenchmarkSite; benchstat can read the lines"},
		"a mistyped flag":        {[]string{"-mardown=-", "testdata/bench.txt"}, 2, "unknown flag -mardown; did you mean -markdown?\n"},
		"one behind a text":      {[]string{"testdata/bench.txt", "-mardown", "-"}, 2, "unknown flag -mardown; did you mean -markdown?\n"},
		"nothing to write":       {[]string{"testdata/bench.txt"}, 2, "nothing to write: give -o, -svg, -table, -markdown, -readme or -site"},
		"nothing of records":     {[]string{"testdata/mix.json"}, 2, "nothing to write: give -o, -svg, -table, -markdown, -readme or -site"},
		"a report over a record": {[]string{"-o", "other.json", "testdata/mix.json"}, 2, "-o=other.json is a file to be read: give another name"},
		"a report over its text": {[]string{"-table", "testdata/bench.txt", "testdata/bench.txt"}, 2, "-table=testdata/bench.txt is a file to be read: give another name"},
		"a README of a record":   {[]string{"testdata/mix.json", "-readme", "x"}, 2, "-readme needs the file of the lines as well: records have what stands behind them"},
		"a file that is not":     {[]string{"nosuch.json", "-o", "x"}, 1, "open nosuch.json: no such file or directory"},
		"JSON of others":         {[]string{other, "-o", "x"}, 1, other + ": not a record: run, name or result is missing; a record is what loadgen's package record writes, or a *loadgen.Result in JSON"},
		"go test -json":          {[]string{events, "-o", "x"}, 1, events + ": it is the output of go test -json: run it without -json, or take the text out, as jq -j "},
		"a site and a report":    {[]string{"testdata", "-site", "x", "-o", "y"}, 2, "-site is made of records of history: give the other outputs, and -results, without it"},
		"a site with a title":    {[]string{"testdata", "-site", "x", "-title", "y"}, 2, "-title is not for -site, whose pages have their own"},
		"a site of nothing":      {[]string{"-site", "x"}, 2, "no records given: -site takes directories of them, or their files"},
		"a site without records": {[]string{t.TempDir(), "-site", "x"}, 1, "no record that can be read: benchhistory writes them"},
		"records nowhere":        {[]string{"nosuch", "-site", "x"}, 1, "stat nosuch: no such file or directory"},
		"a directory of nothing": {[]string{"testdata/bench.txt", "-markdown", "-", "-results", "page"}, 1, "-results=page: no records there; the suites write them with their flag -results"},
		"one without its flag":   {[]string{"page", "-markdown", "-"}, 2, "page is a directory: -results=page reads the records in it"},
		"no directory":           {[]string{"testdata/bench.txt", "-markdown", "-", "-results", "nosuch"}, 1, "-results: open nosuch: "},
		"not a text of results":  {[]string{"main.go", "-markdown", "-"}, 1, "main.go: no result lines; -bench may match nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			_, stderr, code := command(t, c.args...)
			assert.Equal(t, c.code, code)
			assert.Contains(t, stderr, "benchreport: "+c.say)
			assert.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
		})
	}
}

// TestOutputThatIsLost is a failure, and leaves what was there.
func TestOutputThatIsLost(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "testdata/codecs.txt", "-markdown", "-")
	cmd.Env = append(os.Environ(), played+"=1")
	var errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &errOut
	require.Error(t, cmd.Run())
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Equal(t, "benchreport: write /dev/stdout: no space left on device\n", errOut.String())
	for _, flag := range []string{"-o", "-markdown"} {
		_, stderr, code := command(t, "testdata/codecs.txt", flag, "/dev/full")
		assert.Equal(t, 1, code, flag)
		assert.Contains(t, stderr, "/dev/full: no space left on device", flag)
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "svg"), 0o777))
	for about, args := range map[string][]string{
		"a name too long for the page": {"-o", filepath.Join(dir, strings.Repeat("x", 300))},
		"a file where a directory is":  {"-o", filepath.Join(dir, "svg", "x", "y")},
		"no directory for pictures":    {"-svg", filepath.Join("testdata", "codecs.txt", "x")},
	} {
		_, stderr, code := command(t, append([]string{"testdata/codecs.txt"}, args...)...)
		assert.Equal(t, 1, code, about)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), "%s: %s", about, stderr)
	}
}

// TestErrorsReachNoTerminalRaw, such as the name of a file or of a framework.
func TestErrorsReachNoTerminalRaw(t *testing.T) {
	_, stderr, code := command(t, "no\x1b[2J\nBenchmarkEcho 1 1 ns/op", "-markdown", "-")
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, `open no\x1b[2J\nBenchmarkEcho 1 1 ns/op: no such file`)
	assert.Equal(t, 1, strings.Count(stderr, "\n"))
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"testdata/bench.txt", "-h"}} {
		stdout, stderr, code := command(t, args...)
		assert.Zero(t, code)
		assert.Empty(t, stderr)
		assert.True(t, strings.HasPrefix(stdout, "Usage: benchreport [flags] out.txt... run.json...\n\nMakes a report"), stdout)
		assert.Contains(t, stdout, "-markdown")
	}
}

func TestRecordsOfAnotherRunAreLeftOut(t *testing.T) {
	text := filepath.Join(t.TempDir(), "other.txt")
	require.NoError(t, os.WriteFile(text, []byte("BenchmarkEcho/framework=a/conc=1 1 5 ns/op 7 calls/s 9 p50-ns\n"), 0o666))
	out, _, code := command(t, text, "-markdown", "-", "-results", "testdata/records")
	assert.Zero(t, code)
	assert.Contains(t, out, "8 records belong to no line of the text and are left out")
}

// What is not shown is said, where the tables alone do not say it.
func TestUnknownBenchmarksBesideOthers(t *testing.T) {
	out, stderr, code := command(t, "testdata/codecs.txt", "testdata/unknown.txt", "-markdown", "-")
	assert.Zero(t, code)
	assert.Contains(t, out, "| serializer |")
	assert.Equal(t, "benchreport: there is no table of BenchmarkBuild, BenchmarkSite; benchstat can read the lines\n", stderr)
}

// Files that file managers leave in a directory of records are said once.
func TestFilesOfOthersAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/records")))
	for _, name := range []string{".DS_Store", "._a.json", ".part-1-a.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("\x00"), 0o600))
	}
	_, stderr, code := command(t, "testdata/bench.txt", "-results", dir, "-markdown", "-")
	assert.Zero(t, code)
	assert.Equal(t, "benchreport: left out "+dir+"/.DS_Store: it is not one of the records, and neither are 2 more files there\n", stderr)
}

// A record that cannot be read is left out, and said; the rest goes on.
func TestSite(t *testing.T) {
	dir, records := filepath.Join(t.TempDir(), "site"), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(records, "broken\x1b.txt"), []byte("x"), 0o600))
	stdout, stderr, code := command(t, "-site", dir, "../../testdata/results/history", records)
	assert.Zero(t, code)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, "benchreport: left out "+records+`/broken\x1b.txt: not a record: it has no line history`+"\n")
	assert.Contains(t, content(t, filepath.Join(dir, "index.html")), `broken\x1b.txt`)
	assert.FileExists(t, filepath.Join(dir, "framework-grpc.html"))
}
