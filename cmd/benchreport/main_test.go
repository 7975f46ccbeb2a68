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
	assert.Contains(t, tables, "| grpc | 100 | ")
	assert.Contains(t, tables, "| framework | callers | TPS | mean ms | median ms | p99 ms | p99.9 ms | max ms |")
	assert.Contains(t, tables, "| serializer | marshal ns | marshal\\_fresh ns | unmarshal ns |")
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
	_, stderr, code := command(t, text, "-results", "testdata/records", "-svg", svg, "-hide", "tcp")
	require.Equal(t, "", stderr)
	require.Zero(t, code)
	for _, name := range []string{"throughput-echo-1kib", "latency-p99-echo-1kib", "percentiles-echo-1kib-100-callers", "cpu-client-echo-1kib-100-callers-dark"} {
		picture := content(t, filepath.Join(svg, name+".svg"))
		assert.True(t, strings.HasPrefix(picture, "<svg "), name)
		assert.Contains(t, picture, "kitex", name)
		assert.NotContains(t, picture, "tcp", "%s: -hide", name)
	}
}

func TestWhatIsAbsentIsSaid(t *testing.T) {
	html := filepath.Join(t.TempDir(), "report.html")
	_, stderr, _ := command(t, "testdata/codecs.txt", "-o", html)
	require.Equal(t, "", stderr)
	page := content(t, html)
	for _, why := range []string{"no line has calls/s", "no line has an offered rate", "no records: run the benchmarks with -results=DIR", "no line has client-cpu-ns/op"} {
		assert.Contains(t, page, why)
	}
	assert.NotContains(t, page, "no lines of BenchmarkCodec")
}

func TestBadCommandLines(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code int
		say  string
	}{
		"no text":                {nil, 2, "no file of benchmark lines given; see -h"},
		"nothing to write":       {[]string{"testdata/bench.txt"}, 2, "nothing to write: give -o, -svg or -markdown"},
		"an unknown framework":   {[]string{"testdata/bench.txt", "-markdown", "-", "-hide", "x"}, 1, `-hide: no framework "x": there are grpc, kitex, tcp`},
		"a directory of nothing": {[]string{"testdata/bench.txt", "-markdown", "-", "-results", "page"}, 1, "-results=page: no records there; the suites write them with their flag -results"},
		"no directory":           {[]string{"testdata/bench.txt", "-markdown", "-", "-results", "nosuch"}, 1, "-results: open nosuch: "},
		"not a text of results":  {[]string{"main.go", "-markdown", "-"}, 1, "main.go: no result lines; -bench may match nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			_, stderr, code := command(t, c.args...)
			assert.Equal(t, c.code, code)
			assert.Contains(t, stderr, "benchreport: "+c.say)
		})
	}
}

func TestRecordsOfAnotherRunAreLeftOut(t *testing.T) {
	text := filepath.Join(t.TempDir(), "other.txt")
	require.NoError(t, os.WriteFile(text, []byte("BenchmarkEcho/framework=a/conc=1 1 5 ns/op 7 calls/s 9 p50-ns\n"), 0o666))
	out, _, code := command(t, text, "-markdown", "-", "-results", "testdata/records")
	assert.Zero(t, code)
	assert.Contains(t, out, "8 records of -results belong to no line of the text and are left out")
}
