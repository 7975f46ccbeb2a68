package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// linesOf is what one run of a binary with the given cases leaves in its file.
func linesOf(binary string, cases ...string) string {
	s := "Unit calls/s better=higher\nbinary: " + binary + "\n"
	for _, c := range cases {
		s += "Benchmark" + c + "/of=" + binary + " \t     100\t         5.5 ns/op\t  7 calls/s\n"
	}
	return s + "PASS\n"
}

func TestLinesAreKeptInOrder(t *testing.T) {
	dir := room(t)
	_, code := do(t, dir, "-n=3", "f=good")
	equal(t, "the exit code", code, 0)
	equal(t, "the file", content(t, dir, "f"), strings.Repeat(linesOf("good", "A", "B"), 3))
	equal(t, "a file from before", content(t, dir, "f.old"), "")
}

func TestTheFileFromBeforeIsKept(t *testing.T) {
	dir := room(t)
	for _, binary := range []string{"good", "also"} {
		if stderr, code := do(t, dir, "-n=1", "f="+binary); code != 0 {
			t.Fatal(stderr)
		}
	}
	equal(t, "the file", content(t, dir, "f"), linesOf("also", "A", "B"))
	equal(t, "the file from before", content(t, dir, "f.old"), linesOf("good", "A", "B"))
}

func TestArgumentsArePassedOn(t *testing.T) {
	dir := room(t)
	_, code := do(t, dir, "-n=1", "f=./args", "--", "-test.bench=.", "x=y", "--")
	equal(t, "the exit code", code, 0)
	equal(t, "the first line", strings.SplitAfter(content(t, dir, "f"), "\n")[0], "args: [-test.bench=. x=y --]\n")
}

func TestProgressAndInterleaving(t *testing.T) {
	stderr, code := do(t, room(t), "-n=1", "-turns=2", "f=good", "g=also")
	equal(t, "the exit code", code, 0)
	if !strings.HasPrefix(stderr, "8 cases in 1 rounds: about 0:12\n") {
		t.Error(stderr)
	}
	timeless := regexp.MustCompile(`\d+:\d\d`).ReplaceAllString(stderr, "T")
	equal(t, "the progress", timeless, `8 cases in 1 rounds: about T
round 1/1  case 1/8  elapsed T  left T  BenchmarkA/of=good
round 1/1  case 2/8  elapsed T  left T  BenchmarkB/of=good
round 1/1  case 3/8  elapsed T  left T  BenchmarkA/of=also
round 1/1  case 4/8  elapsed T  left T  BenchmarkB/of=also
round 1/1  case 5/8  elapsed T  left T  BenchmarkA/of=also
round 1/1  case 6/8  elapsed T  left T  BenchmarkB/of=also
round 1/1  case 7/8  elapsed T  left T  BenchmarkA/of=good
round 1/1  case 8/8  elapsed T  left T  BenchmarkB/of=good
`)
}

// Of two or three binaries each has every place equally often, and follows each
// of them, itself included, equally often.
func TestOrder(t *testing.T) {
	equal(t, "one", fmt.Sprint(order(0, 1), order(1, 1)), "[0] [0]")
	for _, n := range []int{2, 3} {
		places, pairs, last := map[[2]int]int{}, map[[2]int]int{}, order(2*n-1, n)[n-1]
		for turn := range 2 * n {
			for place, binary := range order(turn, n) {
				places[[2]int{place, binary}]++
				pairs[[2]int{last, binary}]++
				last = binary
			}
		}
		for i := range n {
			for j := range n {
				equal(t, fmt.Sprintf("of %d how often %d is at place %d", n, j, i), places[[2]int{i, j}], 2)
				equal(t, fmt.Sprintf("of %d how often %d follows %d", n, j, i), pairs[[2]int{i, j}], 2)
			}
		}
	}
}

func TestABinaryWithoutCasesIsRunOnceToCountThem(t *testing.T) {
	dir := room(t)
	stderr, code := do(t, dir, "-n=2", "f=old")
	equal(t, "the exit code", code, 0)
	equal(t, "the file", content(t, dir, "f"), strings.Repeat(linesOf("old", "A", "B"), 2))
	if !strings.HasPrefix(stderr, "2 cases in 2 rounds") {
		t.Error(stderr)
	}
}

func TestAnnouncement(t *testing.T) {
	for _, c := range []struct {
		about string
		round time.Duration
		want  string
	}{
		{"by what the binaries say of a round", 6 * time.Second, "3 cases in 4 rounds: about 0:24\n"},
		{"nobody knows", 0, "3 cases in 4 rounds\n"},
	} {
		var out bytes.Buffer
		newReporter(&out, 4, 1, []int{1, 2}).announce(c.round)
		equal(t, c.about, out.String(), c.want)
	}
}

func TestWhatABinaryExpects(t *testing.T) {
	for said, want := range map[string]time.Duration{
		"# 12 cases, about 1m30s\n# for less: nothing\n": 90 * time.Second,
		"# skipped: x\n# 1 case, about 2s\n":             2 * time.Second,
		"12 cases, about 1m30s\n":                        0,
		"# 12 cases, about an hour\n":                    0,
		"":                                               0,
	} {
		equal(t, said, estimated(said), want)
	}
}

func TestTheFirstRoundTellsHowLongAllTake(t *testing.T) {
	var out bytes.Buffer
	p := newReporter(&out, 6, 1, []int{1})
	p.begin = time.Now().Add(-10 * time.Second)
	p.learn()
	equal(t, "of six", out.String(), "round 1 took 0:10: about 1:00 in all\n")
	out.Reset()
	newReporter(&out, 1, 1, []int{1}).learn()
	equal(t, "of one", out.String(), "")
}

func TestFailuresDoNotStopTheOthers(t *testing.T) {
	for _, c := range []struct{ name, binary, kept, say string }{
		{"a failed binary's results count, and so does what it says of them", "bad", linesOf("bad", "A", "B") + "# failed calls: one\n", "# failed calls: one\nbenchrounds: round 1: bad: exit status 1\n"},
		{"names and failures are no results", "few", linesOf("few", "A") + "BenchmarkB\nBenchmarkB\t--- FAIL: BenchmarkB\n", "benchrounds: round 1: few: 1 results of 2 cases\n"},
		{"a line without an end may be half a result", "cut", linesOf("cut", "A"), "benchrounds: round 1: cut: 1 results of 2 cases\n"},
		{"too many results are wrong too", "many", linesOf("many", "A", "B", "C"), "benchrounds: round 1: many: 3 results of 2 cases\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := room(t)
			stderr, code := do(t, dir, "-n=2", "f="+c.binary, "g=good")
			equal(t, "the exit code", code, 1)
			equal(t, "its file", content(t, dir, "f"), strings.Repeat(c.kept, 2))
			equal(t, "the other's file", content(t, dir, "g"), strings.Repeat(linesOf("good", "A", "B"), 2))
			for _, say := range []string{c.say, "round 1/2  case 3/8 ", "round 2/2  case 7/8 ", "\nbenchrounds: 2 of 4 runs failed\n"} {
				if !strings.Contains(stderr, say) {
					t.Errorf("does not say %q: %s", say, stderr)
				}
			}
		})
	}
}

func TestAFileThatCannotBeWritten(t *testing.T) {
	dir := room(t)
	stderr, code := do(t, dir, "-n=1", filepath.Join("nosuch", "f")+"=good", "g=good")
	equal(t, "the exit code", code, 1)
	equal(t, "the other's file", content(t, dir, "g"), linesOf("good", "A", "B"))
	if !strings.Contains(stderr, "benchrounds: round 1: good: open ") {
		t.Error(stderr)
	}
}

func TestResult(t *testing.T) {
	for _, c := range []struct {
		about, line, name string
		ok                bool
	}{
		{"a result", "BenchmarkA/b=1 \t 100\t 5.5 ns/op\n", "BenchmarkA/b=1", true},
		{"more metrics", "BenchmarkA-8 100 5.5 ns/op 1e+06 calls/s", "BenchmarkA-8", true},
		{"ns/op may be missing", "BenchmarkA 100 7 calls/s", "BenchmarkA", true},
		{"a name without metrics", "BenchmarkA\n", "", false},
		{"a count without metrics", "BenchmarkA 100\n", "", false},
		{"a value without its unit", "BenchmarkA 100 5.5 ns/op 7\n", "", false},
		{"a failure, in four words", "BenchmarkA \t--- FAIL: BenchmarkA\n", "", false},
		{"a sentence about a benchmark", "BenchmarkA has 5 cases\n", "", false},
		{"a count that is none", "BenchmarkA many 5 ns/op\n", "", false},
		{"a line of a log, indented", "    BenchmarkA 100 5 ns/op\n", "", false},
		{"another line", "cpu: x 100 5 ns/op\n", "", false},
		{"nothing", "\n", "", false},
	} {
		name, ok := result(c.line)
		if ok != c.ok || ok && name != c.name {
			t.Errorf("%s: %q: %q, %t", c.about, c.line, name, ok)
		}
	}
}

func TestKeeperKeepsWholeLines(t *testing.T) {
	var to, progress bytes.Buffer
	k := &keeper{to: &to, p: newReporter(&progress, 1, 1, []int{2})}
	for _, piece := range []string{"BenchmarkA \t", "100 5 ns/op", "\nBenchmarkB 100 5 ns/op\nx", "y\n\nz"} {
		if n, err := k.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	equal(t, "what is kept", to.String(), "BenchmarkA \t100 5 ns/op\nBenchmarkB 100 5 ns/op\nxy\n\n")
	equal(t, "the results", k.results, 2)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestKeeperReportsAFullDisk(t *testing.T) {
	k := &keeper{to: full{}, p: newReporter(os.Stderr, 1, 1, []int{1})}
	_, err := k.Write([]byte("BenchmarkA 100 5 ns/op\n"))
	if err == nil || k.err == nil || k.results != 0 {
		t.Error(err, k.err, k.results)
	}
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		about string
		d     time.Duration
		want  string
	}{
		{"nothing", 0, "0:00"},
		{"rounded to seconds", 1500 * time.Millisecond, "0:02"},
		{"up to the next minute", 59600 * time.Millisecond, "1:00"},
		{"minutes, however many", 75*time.Minute + 5*time.Second, "75:05"},
	} {
		equal(t, c.about, clock(c.d), c.want)
	}
}
