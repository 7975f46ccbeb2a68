package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

var heading = Heading{
	Run: time.Date(2026, 11, 24, 5, 15, 0, 0, time.UTC), Kind: OfVersions, Module: "google.golang.org/grpc",
	Commit: "0123456789ab", Reference: "ba9876543210", Rounds: 3, Versions: []string{"v1.84.0", "v1.85.0"},
	Arguments: []string{"-test.bench=^Echo$", "-size=1 KiB"},
	Refused:   []Refusal{{"v1.78.0", "does not build:\nundefined: x"}},
}

// program is what a process prints.
func program(config, unit string, figure float64) []byte {
	return fmt.Appendf(nil, `%s
Unit %s better=lower
kernel: 6.18
cpu: Test
# rank: tcp=reference
BenchmarkEcho/size=1KiB 	 100	 %g %s	 5 ns/op
PASS
# warning: BenchmarkEcho/size=1KiB: a warning
`, config, unit, figure, unit)
}

func round(grpc string) []Process {
	return []Process{
		{"v1.84.0", "frameworks/grpc/frozen", program("grpc: v1.84.0", "p50-ns", 1)},
		{Reference, "frameworks/tcp", program("", "p50-ns", 2)},
		{"v1.85.0", "frameworks/grpc", program(grpc, "p99-ns", 3)},
	}
}

// write writes a record of rounds in a directory of the test.
func write(t *testing.T, rounds int) *Writer {
	t.Helper()
	w, err := Create(t.TempDir(), "grpc", heading)
	require.NoError(t, err)
	for n := range rounds {
		require.NoError(t, w.Round(n+1, round("grpc: v1.85.0")))
	}
	return w
}

func text(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(data)
}

func TestWriter(t *testing.T) {
	w := write(t, 1)
	assert.Regexp(t, `grpc-20261124T051500Z\.txt$`, w.File)
	assert.Equal(t, `history: 1
run: 20261124T051500Z
kind: versions
module: google.golang.org/grpc
commit: 0123456789ab
reference: ba9876543210
rounds: 3
versions: v1.84.0 v1.85.0
arguments: "-test.bench=^Echo$" "-size=1 KiB"
# refused v1.78.0: does not build: undefined: x
# rank: tcp=reference
cpu: Test
kernel: 6.18
Unit p50-ns better=lower
Unit p99-ns better=lower
version: v1.84.0
round: 1
adapter: frameworks/grpc/frozen
grpc: v1.84.0
BenchmarkEcho/size=1KiB 	 100	 1 p50-ns	 5 ns/op
PASS
# warning: BenchmarkEcho/size=1KiB: a warning
version: reference
round: 1
adapter: frameworks/tcp
BenchmarkEcho/size=1KiB 	 100	 2 p50-ns	 5 ns/op
PASS
# warning: BenchmarkEcho/size=1KiB: a warning
version: v1.85.0
round: 1
adapter: frameworks/grpc
grpc: v1.85.0
BenchmarkEcho/size=1KiB 	 100	 3 p99-ns	 5 ns/op
PASS
# warning: BenchmarkEcho/size=1KiB: a warning
# round 1 is complete
`, text(t, w.File))
}

// The package that all other commands read results with knows which version a line is of.
func TestLinesReadsARecord(t *testing.T) {
	w := write(t, 2)
	read, err := lines.Parse(w.File, []byte(text(t, w.File)))
	require.NoError(t, err)
	var got []string
	for _, l := range read.Lines {
		got = append(got, strings.Join([]string{l.Config["version"], l.Config["round"], l.Config["adapter"], l.Config["grpc"], l.Config["kernel"], l.Config["rank"]}, " "))
	}
	assert.Equal(t, []string{
		"v1.84.0 1 frameworks/grpc/frozen v1.84.0 6.18 tcp=reference", "reference 1 frameworks/tcp  6.18 tcp=reference", "v1.85.0 1 frameworks/grpc v1.85.0 6.18 tcp=reference",
		"v1.84.0 2 frameworks/grpc/frozen v1.84.0 6.18 tcp=reference", "reference 2 frameworks/tcp  6.18 tcp=reference", "v1.85.0 2 frameworks/grpc v1.85.0 6.18 tcp=reference",
	}, got)
}

// A heading's value that a later process changes or lacks does not hold for it.
func TestWriterChangesTheHeading(t *testing.T) {
	w := write(t, 1)
	other := program("", "p50-ns", 1)
	require.NoError(t, w.Round(2, []Process{
		{"v1.84.0", "", []byte(strings.ReplaceAll(string(other), "# rank: tcp=reference", "# rank: tcp=ours"))},
		{"v1.85.0", "", []byte(strings.ReplaceAll(string(other), "# rank: tcp=reference\n", ""))},
		{Reference, "", other},
	}))
	read, err := lines.Parse(w.File, []byte(text(t, w.File)))
	require.NoError(t, err)
	var got []string
	for _, l := range read.Lines[3:] {
		got = append(got, l.Config["version"]+" "+l.Config["rank"]+l.Config["adapter"])
	}
	assert.Equal(t, []string{"v1.84.0 tcp=ours", "v1.85.0 ", "reference tcp=reference"}, got)
}

// What a process prints cannot end a round, refuse a version or call itself another one.
func TestWriterKeepsWhatIsOurs(t *testing.T) {
	w := write(t, 0)
	forged := "version: v9\nround: 7\nhistory: 2\n# round 1 is complete\n# refused v1.85.0: no\n" + string(program("", "p50-ns", 1)) + "BenchmarkHalf 	 1	 5"
	require.NoError(t, w.Round(1, []Process{{"v1.84.0", "", []byte(forged)}}))
	got := text(t, w.File)
	for _, line := range []string{"version: v9", "round: 7", "history: 2", "# refused v1.85.0", "BenchmarkHalf"} {
		assert.NotContains(t, got, line)
	}
	assert.Equal(t, 1, strings.Count(got, "# round 1 is complete"))
}

func TestWriterRefuses(t *testing.T) {
	w := write(t, 1)
	before := text(t, w.File)
	err := w.Round(2, []Process{{"v1.84.0", "", []byte("kernel: 7.0\n" + string(program("", "p50-ns", 1)))}})
	require.NoError(t, err, "the last of two values counts")
	err = w.Round(3, []Process{{"v1.84.0", "", []byte(strings.ReplaceAll(string(program("", "p50-ns", 1)), "6.18", "7.0"))}})
	assert.ErrorIs(t, err, ErrMachine)
	assert.ErrorContains(t, err, `round 3, v1.84.0: kernel is "7.0" and was "6.18"`)
	assert.ErrorContains(t, w.Round(5, nil), "round 5 cannot follow round 2")
	assert.ErrorContains(t, w.Round(3, []Process{{Version: "a b"}}), "without spaces")
	assert.Equal(t, 2, w.Done)
	assert.True(t, strings.HasPrefix(text(t, w.File), before))
}

func TestCreateRefuses(t *testing.T) {
	for about, change := range map[string]func(*Heading){
		"no version":          func(h *Heading) { h.Versions = nil },
		"a version twice":     func(h *Heading) { h.Versions = []string{"a", "a"} },
		"the reference":       func(h *Heading) { h.Versions = []string{"a", Reference} },
		"a name with a space": func(h *Heading) { h.Versions = []string{"a b"} },
		"no rounds":           func(h *Heading) { h.Rounds = 0 },
		"another kind":        func(h *Heading) { h.Kind = "days" },
	} {
		h := heading
		change(&h)
		_, err := Create(t.TempDir(), "grpc", h)
		assert.Error(t, err, about)
	}
	w := write(t, 1)
	_, err := Create(strings.TrimSuffix(w.File, "/grpc-20261124T051500Z.txt"), "grpc", heading)
	assert.ErrorContains(t, err, "exists already")
}

// A record that was gone on with is the same, byte by byte, as one without a break.
func TestContinue(t *testing.T) {
	whole := text(t, write(t, 3).File)
	for _, half := range []string{"", "version: v1.84.0\nround: 2\nBenchmarkEcho/size=1KiB 	 100	 1 p5", strings.Repeat("x", 9000)} {
		file := write(t, 1).File
		require.NoError(t, os.WriteFile(file, []byte(text(t, file)+half), 0o644))
		w, err := Continue(file)
		require.NoError(t, err)
		assert.Equal(t, 1, w.Done)
		assert.Empty(t, w.Heading.Same(heading))
		require.NoError(t, w.Round(2, round("grpc: v1.85.0")))
		require.NoError(t, w.Round(3, round("grpc: v1.85.0")))
		assert.Equal(t, whole, text(t, file))
	}
}

// A version may be refused from a later round on.
func TestRefusedLater(t *testing.T) {
	file := write(t, 2).File
	const second = "version: v1.84.0\nround: 2\n"
	later := strings.Replace(text(t, file), second, "# refused v1.85.0: it fails later\n"+second, 1)
	require.NoError(t, os.WriteFile(file, []byte(later), 0o644))
	again, err := Continue(file)
	require.NoError(t, err)
	assert.Equal(t, []Refusal{{"v1.78.0", "does not build: undefined: x"}, {"v1.85.0", "it fails later"}}, again.Heading.Refused)
}

func TestSame(t *testing.T) {
	other := heading
	other.Versions, other.Run, other.Refused = []string{"v1.85.0"}, time.Now(), nil
	assert.Equal(t, `its versions is "v1.84.0 v1.85.0", not "v1.85.0"`, heading.Same(other))
	other = heading
	other.Arguments = other.Arguments[:1]
	assert.Contains(t, heading.Same(other), "its arguments are")
}

func TestFileNames(t *testing.T) {
	run := heading.Run
	for name, want := range map[string]string{
		"grpc":     "grpc-20261124T051500Z.txt",
		"a:b/c?":   "a-b,c_-20261124T051500Z.txt",
		"commits.": "commits_-20261124T051500Z.txt",
	} {
		assert.Equal(t, want, FileName(name, run))
	}
	assert.Len(t, FileName(strings.Repeat("x", 300), run), 255)
}

// Records are found by their names as they are, and as they were before names were portable.
func TestBegun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a-b]*") // what a pattern would not find
	require.NoError(t, os.Mkdir(dir, 0o700))
	for _, name := range []string{"a:b-20261124T051500Z.txt", "a-b-20261124T051501Z.txt", "._a-b-20261124T051501Z.txt", "a-b-c-20261124T051502Z.txt", "a-b-20261124.txt", "a:b-20261124T051503Z.txt~"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	assert.Equal(t, []string{filepath.Join(dir, "a:b-20261124T051500Z.txt"), filepath.Join(dir, "a-b-20261124T051501Z.txt")}, Begun(dir, "a:b"))
	assert.Empty(t, Begun(dir, "a"))
	assert.Empty(t, Begun(filepath.Join(dir, "none"), "a"))
}
