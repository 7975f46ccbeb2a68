package lines

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const header = "goos: linux\ncpu: A\nkitex: v0.16.3\n"

func read(t *testing.T, texts ...string) (*Text, string, error) {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for i, text := range texts {
		files = append(files, filepath.Join(dir, string(rune('a'+i))+".txt"))
		require.NoError(t, os.WriteFile(files[i], []byte(text), 0o666))
	}
	read, err := Read(files)
	return read, dir + string(filepath.Separator), err
}

func TestRead(t *testing.T) {
	text, dir, err := read(t, header+"BenchmarkEcho/framework=grpc/conc=100-2  10  5 ns/op  7 calls/s  0 p99-ns  1200 p50-ns\n"+
		"PASS\n# warning: BenchmarkEcho/framework=grpc/conc=100: too: late\n# failed calls: BenchmarkEcho/framework=grpc/conc=100: 3 × reset\n"+
		"--- FAIL: BenchmarkEcho/framework=rpcx/conc=100\n# a remark\n# skipped: one\n# skipped: two\n# skipped: one\n# refused v1: it does not build\n"+
		"# warning: 3 cases: slow: by 3–5 %: BenchmarkA, BenchmarkB/x=1, BenchmarkC-2\n")
	require.NoError(t, err)
	require.Len(t, text.Lines, 1)
	l := text.Lines[0]
	assert.Equal(t, "BenchmarkEcho/framework=grpc/conc=100", l.Full, "the number of procs is no part of the name")
	assert.Equal(t, "Echo", l.Base)
	assert.Equal(t, 10, l.Calls)
	assert.Equal(t, []Key{{"framework", "grpc"}, {"conc", "100"}}, l.Keys)
	assert.Equal(t, map[string]float64{"ns/op": 5, "calls/s": 7, "p99-ns": 0, "p50-ns": 1200}, l.Values, "in the units that were printed")
	assert.Equal(t, "v0.16.3", l.Config["kitex"])
	assert.Equal(t, dir+"a.txt:4", l.At)
	assert.Equal(t, []Note{
		{"BenchmarkEcho/framework=grpc/conc=100", "too: late"},
		{"BenchmarkEcho/framework=grpc/conc=100", "failed calls: 3 × reset"},
		{"BenchmarkEcho/framework=rpcx/conc=100", "it failed and has no result"},
		{"BenchmarkA", "slow: by 3–5 %"},
		{"BenchmarkB/x=1", "slow: by 3–5 %"},
		{"BenchmarkC", "slow: by 3–5 %"},
	}, text.Notes)
	assert.Equal(t, []string{"one", "two", "v1: it does not build"}, text.Skipped)
}

// TestSamples: what serializers do with a user's messages is told once, whatever the rounds.
func TestSamples(t *testing.T) {
	round := "# loses: msg=order: sonic-std: note: empty became absent; id: cut to 32 bits\n# refuses: msg=order: json: message 3 of 9: price: unsupported\n# samples: there is one order\n" +
		"# loses: what is no note\nBenchmarkCodec/codec=sonic/msg=order/op=unmarshal/mode=std 1 5 ns/op\nPASS\n"
	text, _, err := read(t, round+round)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"json refuses order: message 3 of 9: price: unsupported", "sonic-std loses of order: note: empty became absent; id: cut to 32 bits", "samples: there is one order",
	}, text.Samples)
}

// TestLimitsAreNoNotes: which side was the limit was a warning once.
func TestLimitsAreNoNotes(t *testing.T) {
	for about, c := range map[string]struct {
		said string
		want []Note
	}{
		"as it is told now":                  {"# limit: the client in BenchmarkA, the server in BenchmarkB\n", nil},
		"as it was":                          {"# warning: BenchmarkA: the client was the bottleneck: it used 97 % of its CPUs, the server 50 %\n", nil},
		"of several cases":                   {"# warning: 3 cases: neither side was saturated by 100 callers for 1+1 procs: the client used 79–85 % of its CPUs, the server 80–86 %: BenchmarkA, BenchmarkB, BenchmarkC\n", nil},
		"beside what makes figures wrong":    {"# warning: BenchmarkA: slow: by 3 %; neither side was saturated by 10 callers for 1+1 procs: the client used 7 % of its CPUs, the server 8 %; late\n", []Note{{"BenchmarkA", "slow: by 3 %; late"}}},
		"a percentile without interval":      {"# warning: BenchmarkA: latency fluctuates more slowly than the run is long: how well p50 is known cannot be said\n", nil},
		"a server that was to be overloaded": {"# warning: BenchmarkLoad/load=110%: the client was the bottleneck: it used 97 % of its CPUs, the server 50 %\n", []Note{{"BenchmarkLoad/load=110%", "the client was the bottleneck: it used 97 % of its CPUs, the server 50 %"}}},
		"a line that was too slow":           {"# warning: BenchmarkA: the line was the bottleneck: it used 95 % of a CPU\n", []Note{{"BenchmarkA", "the line was the bottleneck: it used 95 % of a CPU"}}},
	} {
		text, _, err := read(t, header+"BenchmarkA 1 5 ns/op\n"+c.said)
		require.NoError(t, err, about)
		assert.Equal(t, c.want, text.Notes, about)
	}
}

func TestLinesWithoutTimes(t *testing.T) {
	text, _, err := read(t, header+"BenchmarkA 1 8.5 allocs/op 2 client-syscalls/op 1 conns\nBenchmarkB 1 5 ns/op 8 allocs/op\n")
	require.NoError(t, err)
	assert.False(t, text.Lines[0].Timed(), "counts stand alone")
	assert.Equal(t, 8.5, text.Lines[0].Values["allocs/op"])
	assert.True(t, text.Lines[1].Timed(), "or beside times")
}

// What describes a run is a comment to benchstat, and was a configuration line before.
func TestRemarks(t *testing.T) {
	for about, prefix := range map[string]string{"a comment": "# ", "of an earlier suite": ""} {
		text, dir, err := read(t, header+prefix+"rank: tcp=reference\n"+prefix+"version-key: netrpc=go\n"+prefix+"pin-cores: 1 core each\n# skipped: one\nBenchmarkA 1 5 ns/op\n")
		require.NoError(t, err)
		assert.Equal(t, map[string]string{"goos": "linux", "cpu": "A", "kitex": "v0.16.3", "rank": "tcp=reference", "version-key": "netrpc=go", "pin-cores": "1 core each"}, text.Lines[0].Config, about)
		assert.Equal(t, dir+"a.txt:8", text.Lines[0].At, about)
	}
}

// What one process says of itself does not hold for the next.
func TestSeveralProcesses(t *testing.T) {
	const units = "Unit p50-ns better=lower\n"
	text, _, err := read(t, "date: today\n"+
		units+"goos: linux\nprotobuf: v1\npkg: a\nBenchmarkA 1 5 ns/op\nPASS\n# warning: BenchmarkA: slow\n"+
		units+"goos: linux\npkg: b\nBenchmarkB 1 5 ns/op\nBenchmarkC 1 5 ns/op\nFAIL\n"+
		units+"goos: linux\nprotobuf: v2\npkg: c\nBenchmarkD 1 5 ns/op\n")
	require.NoError(t, err)
	require.Len(t, text.Lines, 4)
	for i, want := range []map[string]string{
		{"date": "today", "goos": "linux", "pkg": "a", "protobuf": "v1"},
		{"date": "today", "goos": "linux", "pkg": "b"},
		{"date": "today", "goos": "linux", "pkg": "b"},
		{"date": "today", "goos": "linux", "pkg": "c", "protobuf": "v2"},
	} {
		assert.Equal(t, want, text.Lines[i].Config, i)
		assert.Equal(t, []int{1, 2, 2, 3}[i], text.Lines[i].Run, i)
	}
	text, _, err = read(t, units+"goos: linux\nprotobuf: v1\nBenchmarkA 1 5 ns/op\npanic: at once\n\n"+
		units+"goos: linux\nBenchmarkB 1 5 ns/op\n"+units+"goos: linux\ngob: v2\nBenchmarkC 1 5 ns/op\n")
	require.NoError(t, err)
	for i, want := range []map[string]string{{"protobuf": "v1"}, {}, {"gob": "v2"}} {
		got := maps.Clone(text.Lines[i].Config)
		delete(got, "goos")
		delete(got, "panic")
		assert.Equal(t, want, got, "a process that ended without a word: %d", i)
	}
	text, _, err = read(t, header+"BenchmarkA 1 5 ns/op\nPASS\nBenchmarkB 1 5 ns/op\n")
	require.NoError(t, err)
	assert.Equal(t, "v0.16.3", text.Lines[1].Config["kitex"], "a text without units has one heading")
}

func TestALineThatAnInterruptCutOff(t *testing.T) {
	const good = header + "BenchmarkA 1 5 ns/op\n"
	for about, cut := range map[string]string{
		"both outputs are one file":        "BenchmarkB/conc=10-2  \t\n# interrupted in case 2 of 3, which has no result\n# warning: BenchmarkA: slow\n",
		"the file is of the results alone": "BenchmarkB/conc=10-2  \t\n",
	} {
		text, dir, err := read(t, good+cut)
		require.NoError(t, err, about)
		assert.Len(t, text.Lines, 1, about)
		assert.Equal(t, dir+"a.txt:5", text.Cut, about)
		assert.Equal(t, Note{"BenchmarkB/conc=10", "an interrupt cut off a line of it"}, text.Notes[0], about)
	}
	_, _, err := read(t, good+"BenchmarkB  \t\nlog: hello\n 1 5 ns/op\n")
	assert.ErrorContains(t, err, "something else may have been printed into it", "a line that goes on below is broken")
	_, _, err = read(t, header+"BenchmarkB  \t")
	assert.ErrorContains(t, err, "no result lines", "there must be others")
}

// A file ends in the middle of a line where a disk was full or a copy broke off: what
// is there of its figures may be the beginning of others.
func TestALastLineWithoutAnEnd(t *testing.T) {
	const good = header + "BenchmarkA 1 5 ns/op\n"
	for about, cut := range map[string]string{
		"in a figure":     "BenchmarkB/conc=10-2 10 5 ns/op 12",
		"in a unit":       "BenchmarkB/conc=10-2 10 5 ns/op 12 calls",
		"behind a unit":   "BenchmarkB/conc=10-2 10 5 ns/op",
		"in the calls":    "BenchmarkB/conc=10-2 1",
		"behind a name":   "BenchmarkB/conc=10-2",
		"even of figures": "BenchmarkB/conc=10-2 10 5 ns/op 12 calls/s",
	} {
		text, dir, err := read(t, good+cut, good)
		require.NoError(t, err, about)
		assert.Len(t, text.Lines, 2, about)
		assert.Equal(t, dir+"a.txt:5", text.Cut, about)
		assert.Equal(t, []Note{{"BenchmarkB/conc=10", "a line of it was cut off, and is left out"}}, text.Notes, about)
	}
	for about, cut := range map[string]string{
		"in what is said of a unit": "Unit p99-ns bett",
		"behind the equals sign":    "Unit p99-ns better=",
		"in a unit":                 "Unit p99",
		"before a unit":             "Unit\t",
		"behind the word":           "Unit",
	} {
		text, dir, err := read(t, good+cut)
		require.NoError(t, err, about)
		assert.Equal(t, dir+"a.txt:5", text.Cut, about)
		assert.Empty(t, text.Notes, about)
	}
	text, _, err := read(t, good+"PASS")
	require.NoError(t, err)
	assert.Empty(t, text.Cut, "of other lines nothing is lost")
	_, dir, err := read(t, header+"BenchmarkA 1 5 ns/op")
	assert.EqualError(t, err, dir+"a.txt: no result lines but one that was cut off, at "+dir+"a.txt:4")
}

// A stack or a reply may be one very long line.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	for about, before := range map[string]string{
		"a log's": long + "\n", "a comment's": "# " + long + "\n", "of an error": "# failed calls: BenchmarkB: 1 × " + long + "\n",
	} {
		text, dir, err := read(t, before+header+"BenchmarkA 1 5 ns/op\n"+before+"BenchmarkB 1 6 ns/op\n")
		require.NoError(t, err, about)
		require.Len(t, text.Lines, 2, about)
		assert.Equal(t, dir+"a.txt:7", text.Lines[1].At, about)
	}
	for about, line := range map[string]string{
		"a result": "BenchmarkB 1 5 ns/op 7 " + long + "\n", "a setting": "kitex: " + long + "\n", "a unit": "Unit " + long + " better=lower\n",
	} {
		_, dir, err := read(t, header+line+"BenchmarkA 1 5 ns/op\n")
		assert.ErrorContains(t, err, dir+"a.txt:4: a line of 7", about)
		assert.ErrorContains(t, err, "bytes: the longest that is read has 60000", about)
	}
}

// What a text says of itself is printed to terminals.
func TestForeignTextIsShown(t *testing.T) {
	text, _, err := read(t, "kitex: v1\x1b[2J\nBenchmarkA 1 5 ns/op\n# skipped: a\x1b]0;b\n# warning: BenchmarkA: c\rd\n# warning: Benchmark\u202eB: d\n")
	require.NoError(t, err)
	assert.Equal(t, `v1\x1b[2J`, text.Lines[0].Config["kitex"])
	assert.Equal(t, []string{`a\x1b]0;b`}, text.Skipped)
	assert.Equal(t, []Note{{"BenchmarkA", `c\rd`}, {`Benchmark\u202eB`, "d"}}, text.Notes)
}

// 50,000 cases, each of a process of its own, with a warning and interrupted, take a time that grows with their number alone.
func TestManyCases(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, "Unit ns/op better=lower\nkitex: v1\n# skipped: %d\nBenchmarkEcho/framework=a/conc=%d 1 5 ns/op 7 calls/s\n# warning: BenchmarkEcho/framework=a/conc=%d: late\nPASS\nBenchmarkB \t\n# interrupted in a case\n", i, i, i)
	}
	began := time.Now()
	text, err := Parse("many", []byte(b.String()))
	require.NoError(t, err)
	assert.Equal(t, 2*50_000, len(text.Notes))
	assert.Less(t, time.Since(began), time.Minute, "it takes a second; a quadratic reader takes a minute")
}

// A program that contains a framework makes no calls, but has the time of its start.
func TestAStartIsATime(t *testing.T) {
	text, err := Parse("a.txt", []byte(header+"BenchmarkFootprint/framework=a 1 5 binary-B 7 listen-ns 9 first-reply-ns\n"))
	require.NoError(t, err)
	assert.Len(t, text.Lines, 1)
}

// A client whose server was restarted is measured by its way back, if it found one.
func TestAWayBackIsATime(t *testing.T) {
	text, err := Parse("a.txt", []byte(header+"BenchmarkDial/framework=a 1 10 reconnects 5 reconnect-ns\nBenchmarkDial/framework=b 1 0 reconnects\n"))
	require.NoError(t, err)
	assert.Len(t, text.Lines, 2)
}

func TestWhatIsRefused(t *testing.T) {
	const good = header + "BenchmarkA 1 5 ns/op\n"
	for name, c := range map[string]struct {
		texts []string
		say   string
	}{
		"a NaN is no measurement":            {[]string{header + "BenchmarkA 1 5 ns/op NaN p99-ns\n"}, "a.txt:4: BenchmarkA has NaN p99-ns, which is no measurement"},
		"nor is an infinity":                 {[]string{header + "BenchmarkA 1 +Inf ns/op\n"}, "a.txt:4: BenchmarkA has +Inf ns/op, which is no measurement"},
		"a line has a rate or a time":        {[]string{header + "BenchmarkA 1 5 p99-ns\n"}, "a.txt:4: BenchmarkA has neither calls/s nor ns/op: one of them must be there"},
		"counts beside a time have a rate":   {[]string{header + "BenchmarkA 1 5 p99-ns 8 allocs/op\n"}, "a.txt:4: BenchmarkA has neither calls/s nor ns/op: one of them must be there"},
		"CPU time is a time":                 {[]string{header + "BenchmarkA 1 5 cpu-ns/op 8 allocs/op\n"}, "a.txt:4: BenchmarkA has neither calls/s nor ns/op: one of them must be there"},
		"connections are no counts of calls": {[]string{header + "BenchmarkA 1 10 conns\n"}, "a.txt:4: BenchmarkA has neither calls/s nor ns/op: one of them must be there"},
		"nor is more than all":               {[]string{header + "BenchmarkA 1 1e308 ns/op\n"}, "a.txt:4: BenchmarkA has 1e+308 ns/op, which is no measurement"},
		"nor is less than nothing":           {[]string{header + "BenchmarkA 1 -5 ns/op\n"}, "a.txt:4: BenchmarkA has -5 ns/op, which is no measurement"},
		"nor are calls":                      {[]string{header + "BenchmarkA -5 5 ns/op\n"}, "a.txt:4: BenchmarkA has -5 calls, which is no measurement"},
		"none are no measurement":            {[]string{header + "BenchmarkA 0 5 ns/op\n"}, "a.txt:4: BenchmarkA has 0 calls, which is no measurement"},
		"more calls than can be counted":     {[]string{header + "BenchmarkA 99999999999999999999 5 ns/op\n"}, "a.txt:4: not a result line: "},
		"more bytes than there can be":       {[]string{header + "BenchmarkA 1 5 ns/op 1e300 B/op\n"}, "a.txt:4: BenchmarkA has 1e+300 B/op, which is no measurement"},
		"a unit has one value":               {[]string{header + "BenchmarkA 1 5 ns/op 7 calls/s 6 ns/op\n"}, "a.txt:4: BenchmarkA has two values of ns/op"},
		"a name is printed":                  {[]string{header + "BenchmarkA/x=\x1b[2J 1 5 ns/op\n"}, `a.txt:4: BenchmarkA/x=\x1b[2J: no name has such characters`},
		"no lines at all are a mistake":      {[]string{"PASS\n"}, "a.txt: no result lines; -bench may match nothing"},
		"in each of the files":               {[]string{good, header}, "b.txt: no result lines; -bench may match nothing"},
		"two machines cannot be mixed":       {[]string{good, "goos: linux\ncpu: B\nBenchmarkA 1 5 ns/op\n"}, `b.txt:3: measured with cpu "B", but DIRa.txt:4 with "A": the figures of two machines cannot be mixed`},
		"not within a file either":           {[]string{good + "goos: plan9\nBenchmarkA 1 5 ns/op\n"}, `a.txt:6: measured with goos "plan9", but DIRa.txt:4 with "linux": the figures of two machines cannot be mixed`},
		"a line that something broke is one": {[]string{good + "BenchmarkB 1 5 log: hello\n"}, "a.txt:5: not a result line: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, dir, err := read(t, c.texts...)
			assert.ErrorContains(t, err, dir+strings.ReplaceAll(c.say, "DIR", dir))
		})
	}
	_, err := Read([]string{"/no/such/file"})
	assert.ErrorContains(t, err, "/no/such/file")
}

func TestALineWithoutItsMachineIsOfAny(t *testing.T) {
	_, _, err := read(t, header+"BenchmarkA 1 5 ns/op\n", "BenchmarkA 1 5 ns/op\n")
	assert.NoError(t, err)
}
