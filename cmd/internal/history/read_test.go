package history

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/scales"
)

func TestRead(t *testing.T) {
	w := write(t, 2)
	whole := text(t, w.File)
	require.NoError(t, os.WriteFile(w.File, []byte(whole+"version: v1.84.0\nround: 3\nBenchmarkEcho/size=1KiB 1 7 p50-ns 5 n"), 0o644))
	r, err := Read(w.File)
	require.NoError(t, err)
	assert.Equal(t, heading.Run, r.Run)
	assert.Equal(t, heading.Arguments, r.Arguments)
	assert.Equal(t, []string{"google.golang.org/grpc", "0123456789ab", "ba9876543210", OfVersions}, []string{r.Module, r.Commit, r.Reference, r.Kind})
	assert.Equal(t, []int{3, 2, 6}, []int{r.Rounds, r.Done, len(r.Lines)})
	assert.Equal(t, []Refusal{{"v1.78.0", "does not build: undefined: x"}}, r.Refused)
	assert.Equal(t, map[string]string{"cpu": "Test", "kernel": "6.18", "rank": "tcp=reference"}, r.Machine)
	assert.Equal(t, map[string]string{"v1.84.0": "frameworks/grpc/frozen", "v1.85.0": "frameworks/grpc", Reference: "frameworks/tcp"}, r.Adapters)
	assert.Equal(t, Note{"v1.84.0", "BenchmarkEcho/size=1KiB", "a warning", 2}, r.Notes[0])
	assert.Len(t, r.Notes, 3)
	assert.Positive(t, r.Half)
}

// What is wrong with a record is said in a sentence that names the file.
func TestReadRefuses(t *testing.T) {
	whole := text(t, write(t, 2).File)
	for _, c := range []struct{ about, text, want string }{
		{"an empty file", "", "it is empty"},
		{"UTF-16", "\xff\xfeh\x00", "it is in UTF-16, as PowerShell's > writes it"},
		{"results of something else", "BenchmarkEcho 1 5 ns/op\n", "not a record"},
		{"a later format", strings.Replace(whole, "history: 1", "history: 2", 1), "a record of format 2; this program reads format 1"},
		{"no complete round", whole[:strings.Index(whole, "# round 1 is")], "no round of it is complete"},
		{"a round that was cut out", strings.Replace(whole, "# round 1 is complete\n", "", 1), "round 2 follows round 0"},
		{"a round that is there twice", whole + "# round 2 is complete\n", "round 2 follows round 2"},
		{"a time that is none", strings.Replace(whole, "run: 2026", "run: yesterday 2026", 1), `run: "yesterday 20261124T051500Z" is no time`},
		{"a version twice", strings.Replace(whole, "versions: v1.84.0", "versions: v1.85.0", 1), "two versions cannot have one name"},
		{"no versions", strings.Replace(whole, "versions: v1.84.0 v1.85.0", "versions:", 1), "one version at least"},
		{"no number of rounds", strings.Replace(whole, "rounds: 3", "rounds: many", 1), `rounds: "many" is no number`},
		{"arguments without quotes", strings.Replace(whole, `arguments: "`, `arguments: `, 1), "not a list of quoted strings"},
		{"a figure that is none", strings.Replace(whole, "3 p99-ns", "NaN p99-ns", 1), "has NaN p99-ns, which is no measurement"},
		{"half a line in the middle", strings.Replace(whole, "3 p99-ns	 5 ns/op", "3", 1), "not a result line"},
		{"another machine inside", strings.Replace(whole, "version: reference\nround: 1", "version: reference\nround: 1\ncpu: Other", 1), "the figures of two machines cannot be mixed"},
		{"another Go inside", strings.Replace(strings.Replace(whole, "# rank", "go: go1.26.8\n# rank", 1), "version: reference\nround: 1", "version: reference\nround: 1\ngo: go1.27.0", 1), "the figures of two machines cannot be mixed"},
		{"another part of the machine inside", strings.Replace(strings.Replace(whole, "# rank", "pin: 0/1\n# rank", 1), "version: reference\nround: 1", "version: reference\nround: 1\npin: off", 1), "differ in pin: "},
		{"a server that sets itself otherwise", strings.Replace(strings.Replace(whole, "# rank", "gogc: 100\n# rank", 1), "version: reference\nround: 1", "version: reference\nround: 1\ngogc: off", 1), "differ in gogc: "},
		{"a round that is too late", strings.Replace(whole, "round: 2\n", "round: 3\n", 1), `is of round "3", and the record has 2`},
		{"a round that is no number", strings.Replace(whole, "round: 2\n", "round: two\n", 1), `is of round "two"`},
		{"versions that were not measured", strings.Replace(whole, "versions: v1.84.0 v1.85.0", "versions: v1.86.0", 1), "no version has a result"},
		{"lines without a version", strings.ReplaceAll(whole, "version: ", "release: "), "has no version"},
	} {
		file := filepath.Join(t.TempDir(), "x.txt")
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o644))
		_, err := Read(file)
		if assert.ErrorContains(t, err, c.want, c.about) {
			assert.True(t, strings.HasPrefix(err.Error(), file), err)
		}
	}
	_, err := Read("nothing.txt")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// Wherever a record is cut off, what was complete is read, or why nothing is.
// Lines of one name are cases of their own where a version has them with several numbers
// of procs, or of several packages.
func TestReadTellsApart(t *testing.T) {
	whole := text(t, write(t, 2).File)
	process := regexp.MustCompile(`(version: \S+\nround: \d+\n(?:adapter: \S+\n)?)(?s:(.*?))(PASS\n)`)
	for about, c := range map[string]struct {
		replace string
		want    []string
	}{
		"repeats":              {"$1${2}BenchmarkEcho/size=1KiB 1 7 p50-ns 5 ns/op\n$3", []string{"BenchmarkEcho/size=1KiB"}},
		"two procs":            {"$1${2}BenchmarkEcho/size=1KiB-8 1 7 p50-ns 5 ns/op\n$3", []string{"BenchmarkEcho/size=1KiB 1 proc", "BenchmarkEcho/size=1KiB 8 procs"}},
		"two packages":         {"${1}pkg: x/a\n$2$3${1}pkg: x/b\n$2$3", []string{"BenchmarkEcho/size=1KiB package x/a", "BenchmarkEcho/size=1KiB package x/b"}},
		"an adapter each":      {"${1}pkg: x/a\n$2$3", []string{"BenchmarkEcho/size=1KiB"}},
		"versions of a module": {"${1}grpc: v1.7.0\n$2$3", []string{"BenchmarkEcho/size=1KiB"}},
	} {
		file := filepath.Join(t.TempDir(), "x.txt")
		content := process.ReplaceAllString(whole, c.replace)
		if about == "an adapter each" {
			content = regexp.MustCompile(`version: v1.84.0\n(?:.*\n){1,2}pkg: x/a`).ReplaceAllString(content, "$0/frozen")
		}
		require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
		r, err := Read(file)
		require.NoError(t, err, about)
		cases, noted := map[string]bool{}, map[string]bool{}
		for _, s := range r.Series() {
			cases[s.Name.Full] = true
		}
		for _, n := range r.Notes {
			noted[n.Case] = true
		}
		assert.Equal(t, c.want, slices.Sorted(maps.Keys(cases)), about)
		for _, name := range c.want {
			assert.True(t, noted[name], "%s: %s: a note is of each row that it may be of", about, name)
		}
	}
}

// What versions differ in is known from what they print before the rounds.
func TestAgree(t *testing.T) {
	of := func(version, text string) Process {
		return Process{Version: version, Output: []byte(text + "BenchmarkA 1 5 ns/op\n")}
	}
	for about, c := range map[string]struct {
		first, second Process
		want          string
	}{
		"alike":                      {of("v1", "gogc: 100\n"), of("v2", "gogc: 100\n"), ""},
		"a version sets its own":     {of("v1", "gogc: 100\n"), of("v2", "gogc: off\n"), "a record is of one pin, machine and setup: lines of BenchmarkA differ in gogc: 100 and off; give them as files of their own"},
		"it is compared by versions": {of("v1", "grpc: v1.7.0\n"), of("v2", "grpc: v1.8.0\n"), ""},
		"several procs are rows":     {of("v1", ""), of("v1", "BenchmarkA-8 1 5 ns/op\n"), ""},
		"nothing was printed":        {of("v1", "gogc: 100\n"), Process{Version: "v2"}, ""},
	} {
		err := Agree([]Process{c.first, c.second})
		if c.want == "" {
			assert.NoError(t, err, about)
			continue
		}
		assert.EqualError(t, err, c.want, about)
	}
}

func TestReadHalf(t *testing.T) {
	whole := text(t, write(t, 2).File)
	first := strings.Index(whole, complete(1)) + len(complete(1))
	file := filepath.Join(t.TempDir(), "x.txt")
	for end := range whole {
		require.NoError(t, os.WriteFile(file, []byte(whole[:end]), 0o644))
		r, err := Read(file)
		if end < first {
			require.Error(t, err, "%d bytes", end)
			continue
		}
		require.NoError(t, err, "%d bytes", end)
		require.Len(t, r.Lines, 3)
		_, err = Continue(file)
		require.NoError(t, err)
	}
}

func TestReadDir(t *testing.T) {
	w := write(t, 2)
	dir := filepath.Dir(w.File)
	later := heading
	later.Run = later.Run.AddDate(0, 0, 7)
	other, err := Create(dir, "a", later)
	require.NoError(t, err)
	require.NoError(t, other.Round(1, round("")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "half.txt"), []byte("history: 1\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o644))
	records, left, err := ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, records, 2)
	assert.Equal(t, w.File, records[0].File, "the earlier comes first")
	assert.Equal(t, []Left{
		{filepath.Join(dir, "README.md"), "it is not one of the records", true},
		{filepath.Join(dir, "half.txt"), `run: "" is no time as 20060102T150405Z`, false},
	}, left)
	_, _, err = ReadDir(dir, filepath.Join(dir, "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// figures is the output of a process with the CPU times of a case.
func figures(name string, client, server float64) []byte {
	return fmt.Appendf(nil, "cpu: Test\nBenchmark%s 1 5 ns/op %g client-cpu-ns/op %g server-cpu-ns/op\nPASS\n", name, client, server)
}

func TestSeries(t *testing.T) {
	h := heading
	h.Versions = []string{"a", "b", "c"}
	w, err := Create(t.TempDir(), "x", h)
	require.NoError(t, err)
	for n := 1.0; n <= 10; n++ {
		list := []Process{{Reference, "", figures("Echo", 1, 1)}, {"beside", "", figures("Echo", 2, 2)}, {"a", "", figures("Echo", n, 10)}}
		if n != 4 {
			list = append(list, Process{"b", "", bytes.Replace(append(figures("Echo", n, 20), figures("Echo", n+2, 20)...), []byte("PASS\n"), nil, 1)})
		}
		if n > 7 {
			list = append(list, Process{"c", "", figures("Echo", n, 30)})
		}
		require.NoError(t, w.Round(int(n), list))
	}
	r, err := Read(w.File)
	require.NoError(t, err)
	all := r.Series()
	var got []string
	for _, s := range all {
		got = append(got, fmt.Sprint(s.Unit, s.Versions, len(s.Values), s.Dropped, s.Lacking))
	}
	assert.Equal(t, []string{
		"client-cpu-ns/op[a b] 9 1 [c]", "cpu-ns/op[a b] 9 1 [c]", "ns/op[a b] 9 1 [c]", "server-cpu-ns/op[a b] 9 1 [c]",
		"client-cpu-ns/op[beside] 10 0 []", "cpu-ns/op[beside] 10 0 []", "ns/op[beside] 10 0 []", "server-cpu-ns/op[beside] 10 0 []",
		"client-cpu-ns/op[reference] 10 0 []", "cpu-ns/op[reference] 10 0 []", "ns/op[reference] 10 0 []", "server-cpu-ns/op[reference] 10 0 []",
	}, got)
	assert.Equal(t, []float64{11, 22}, all[1].Values[0], "the mean of two lines of a process")
	assert.Equal(t, []float64{11, 12, 13, 15, 16, 17, 18, 19, 20}, all[1].Of("a"))
	assert.Nil(t, all[1].Of("c"))
	assert.Equal(t, "BenchmarkEcho", all[0].Name.Full)
}

func TestKindOf(t *testing.T) {
	for unit, want := range map[string]Kind{
		"cpu-ns/op": Timed, "p50-ns": Timed, "p99-ns": Shown, "ns/op": Shown, "B/op": Counted, "server-allocs/op": Counted,
		"request-wire-B/op": Counted, "binary-B": Counted, "server-other-syscalls/op": Shown, "server-syscalls/op": Counted, "calls/s": Shown,
	} {
		assert.Equal(t, want, KindOf(unit), unit)
	}
}

// A record that an editor has put a byte order mark into is read, and not gone on with: what
// is behind its last round could not be cut off at the right place.
func TestByteOrderMarks(t *testing.T) {
	file := write(t, 2).File
	require.NoError(t, os.WriteFile(file, []byte("\ufeff"+text(t, file)), 0o600))
	r, err := Read(file)
	require.NoError(t, err)
	assert.Equal(t, 2, r.Done)
	_, err = Continue(file)
	assert.EqualError(t, err, file+": it cannot be gone on with: another program has written byte order marks into it")
}

// What file managers and editors leave in a directory is told once.
func TestFilesOfOthers(t *testing.T) {
	w := write(t, 1)
	dir := filepath.Dir(w.File)
	for _, name := range []string{"._" + filepath.Base(w.File), ".DS_Store", "Thumbs.db", filepath.Base(w.File) + "~"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("\x00\x05\x16\x07"), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "a.txt"), 0o700))
	records, left, err := ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, records, 1)
	assert.Equal(t, []Left{{filepath.Join(dir, ".DS_Store"), "it is not one of the records, and neither are 4 more files there", true}}, left)
}

// A record of ten times as many rounds, cases or notes is read in ten times as long.
func TestCostOfARecord(t *testing.T) {
	for _, c := range []struct {
		about  string
		n      int
		rounds func(n int) int
		output func(n int) string
	}{
		{"rounds", 20, func(n int) int { return n }, func(int) string { return "BenchmarkA 1 5 ns/op\nPASS\n" }},
		{"cases", 50, func(int) int { return 1 }, func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "BenchmarkA/case=%d 1 5 ns/op\n", i)
			}
			return b.String() + "PASS\n"
		}},
		{"notes", 100, func(int) int { return 1 }, func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "# warning: BenchmarkA: number %d\n", i)
			}
			return "BenchmarkA 1 5 ns/op\n" + b.String() + "PASS\n"
		}},
	} {
		scales.Linear(t, c.n, func(n int) {
			h := heading
			h.Rounds = c.rounds(n)
			w, err := Create(t.TempDir(), "x", h)
			require.NoError(t, err)
			var rounds strings.Builder
			for i := range h.Rounds {
				text, err := w.round(i+1, []Process{{Version: h.Versions[0], Output: []byte(c.output(n))}})
				require.NoError(t, err)
				rounds.WriteString(text)
			}
			require.NoError(t, os.WriteFile(w.File, []byte(rounds.String()), 0o600))
			r, err := Read(w.File)
			require.NoError(t, err, c.about)
			assert.Equal(t, h.Rounds, r.Done)
		})
	}
}
