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

	"github.com/rpcbench/rpcbench/cmd/internal/status"
)

// linesOf is what one run of a binary with the given cases leaves in its file.
func linesOf(binary string, cases ...string) string {
	s := "Unit calls/s better=higher\nbinary: " + binary + "\n"
	for _, c := range cases {
		s += "Benchmark" + c + "/of=" + binary + " \t     100\t         5.5 ns/op\t  7 calls/s\n"
	}
	return s + "PASS\n"
}

// The name of the variable is that of package loadbench.
func TestBinariesAreToldTheirRounds(t *testing.T) {
	dir := room(t)
	stderr, code := do(t, dir, "-n=3", "-turns=2", "f=told")
	equal(t, "the exit code", code, 0)
	if n := strings.Count(content(t, dir, "f"), "rounds: 6\n"); n != 6 {
		t.Errorf("%d of 6 runs know that they are 6: %s%s", n, content(t, dir, "f"), stderr)
	}
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

func TestLinesAreAdded(t *testing.T) {
	dir := room(t)
	for _, binary := range []string{"good", "also"} {
		if stderr, code := do(t, dir, "-n=1", "-add", "f="+binary); code != 0 {
			t.Fatal(stderr)
		}
	}
	equal(t, "the file", content(t, dir, "f"), linesOf("good", "A", "B")+linesOf("also", "A", "B"))
	equal(t, "a file from before", content(t, dir, "f.old"), "")
}

func TestArgumentsArePassedOn(t *testing.T) {
	dir := room(t)
	_, code := do(t, dir, "-n=1", "f=./args", "--", "-test.bench=.", "x=y", "--")
	equal(t, "the exit code", code, 0)
	equal(t, "the first line", strings.SplitAfter(content(t, dir, "f"), "\n")[0], "args: [-test.bench=. x=y --]\n")
}

// A file's own arguments are for its binaries alone: where they run and where their cases are
// counted.
func TestArgumentsOfOneFile(t *testing.T) {
	for _, c := range []struct{ about, flags, f, g string }{
		{"none has any", "", "-x", "-x"},
		{"the first file's", "-only=f=-half", "-x -half", "-x"},
		{"the second file's", "-only=g=-half", "-x", "-x -half"},
		{"each file's", "-only=f=-a -only=g=-half", "-x -a", "-x -half"},
		{"several of one, in their order", "-only=g=-half -only=g=-b", "-x", "-x -half -b"},
		{"with = in it", "-only g=-dir=a=b", "-x", "-x -dir=a=b"},
		{"a file that is written in another way", "-only=./d/../g=-half", "-x", "-x -half"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := room(t)
			stderr, code := do(t, dir, append(append([]string{"-n=1"}, strings.Fields(c.flags)...), "f=half", "g=half", "--", "-x")...)
			equal(t, "the exit code", code, 0)
			for file, args := range map[string]string{"f": c.f, "g": c.g} {
				line, _, _ := strings.Cut(content(t, dir, file), "\n")
				equal(t, file+"'s first line", line, "args: ["+args+"]")
			}
			contains(t, stderr, fmt.Sprintf("%d cases in 1 rounds\n", 4-strings.Count(c.flags, "-half")))
		})
	}
}

// All binaries of a file have its arguments.
func TestArgumentsOfAFileWithSeveralBinaries(t *testing.T) {
	dir := room(t)
	_, code := do(t, dir, "-n=1", "-only=f=-half", "f=half", "f=args", "g=args")
	equal(t, "the exit code", code, 0)
	equal(t, "runs with it", strings.Count(content(t, dir, "f"), "args: [-half]\n"), 2)
	equal(t, "another file's with it", strings.Count(content(t, dir, "g"), "-half"), 0)
}

// The runs of one binary for two files are compared: they are neighbours, and each is first
// in every second turn.
func TestOneBinaryOfTwoFiles(t *testing.T) {
	w := work{targets: []target{{file: "f", binaries: []string{"x", "y"}}, {file: "g", binaries: []string{"x", "y"}}}}
	r := &runner{work: w, places: w.places()}
	for turn, want := range []string{"fx gx fy gy", "gy fy gx fx", "fx gx fy gy", "gy fy gx fx"} {
		var got []string
		for _, t := range r.parts(turn) {
			got = append(got, t.file+t.binary)
		}
		equal(t, fmt.Sprintf("turn %d", turn), strings.Join(got, " "), want)
	}
}

// In a file a round is a line, however many turns it has.
func TestProgressInAFile(t *testing.T) {
	stderr, code := do(t, room(t), "-n=2", "-turns=2", "f=good", "g=also")
	equal(t, "the exit code", code, 0)
	contains(t, stderr, "8 cases in 2 rounds: about 0:24\n")
	timeless := regexp.MustCompile(`\d+:\d\d`).ReplaceAllString(stderr, "T")
	equal(t, "the progress", timeless, `8 cases in 2 rounds: about T
round 1/2 done, 8 of 16 results, T so far, about T left
round 2/2 done, 16 of 16 results in T
`)
}

// On a terminal a case is a line that the next one erases, and nothing of it is left at the end.
func TestProgressOnATerminal(t *testing.T) {
	const erase = "\r\x1b[K"
	text := onTerminal(t, room(t), work{rounds: 1, turns: 2, targets: []target{{file: "f", binaries: []string{"good"}}, {file: "g", binaries: []string{"also"}}}})
	timeless := regexp.MustCompile(`\d+:\d\d`).ReplaceAllString(text, "T")
	equal(t, "the progress", strings.ReplaceAll(timeless, erase, "\n"), `
8 cases in 1 rounds: about T
round 1/1  case 1/8  T of T  A good
round 1/1  case 2/8  T of T  B good
round 1/1  case 3/8  T of T  A also
round 1/1  case 4/8  T of T  B also
round 1/1  case 5/8  T of T  A also
round 1/1  case 6/8  T of T  B also
round 1/1  case 7/8  T of T  A good
round 1/1  case 8/8  T of T  B good
`)
	text = onTerminal(t, room(t), work{rounds: 1, turns: 1, targets: []target{{file: "f", binaries: []string{"bad", "good"}}}})
	contains(t, text, "  B bad"+erase+"# failed calls: one\nbenchrounds: round 1: bad: exit status 1\n"+erase+"round 1/1  case 3/4 ")
}

// onTerminal runs binaries of dir and returns what a terminal gets.
func onTerminal(t *testing.T, dir string, w work) string {
	t.Helper()
	t.Chdir(dir)
	t.Setenv(played, "1")
	var out bytes.Buffer
	_, _ = w.run(t.Context(), status.ToTerminal(&out, func() int { return 80 }))
	return out.String()
}

// In 2n turns each of n has every place twice, and follows each of the others twice.
func TestSeveralBinariesOfOneFile(t *testing.T) {
	dir := room(t)
	stderr, code := do(t, dir, "-n=2", "f=good", "f=less", "./f=also", "f=else")
	equal(t, "the exit code", code, 0)
	equal(t, "the file", content(t, dir, "f"),
		"# skipped: no protobuf\n# no case: else: no such framework: there is x\n"+
			linesOf("good", "A", "B")+linesOf("also", "A", "B")+linesOf("also", "A", "B")+linesOf("good", "A", "B"))
	contains(t, stderr, "left out: less has no case: nothing is left\nleft out: else has no case: no such framework: there is x\n",
		"4 cases in 2 rounds: about 0:12\n", "round 1/2 done, 4 of 8 results", "round 2/2 done, 8 of 8 results")
}

// Those at one place of several files are compared.
func TestSeveralBinariesOfSeveralFiles(t *testing.T) {
	text := onTerminal(t, room(t), work{rounds: 1, turns: 1, targets: []target{{file: "f", binaries: []string{"good", "args"}}, {file: "g", binaries: []string{"also", "tame"}}}})
	var ran []string
	for _, found := range regexp.MustCompile(`  A (\w+)`).FindAllStringSubmatch(text, -1) {
		ran = append(ran, found[1])
	}
	equal(t, "the order", fmt.Sprint(ran), "[good also args tame]")
}

func TestABinaryThatFailsAmongOthersOfItsFile(t *testing.T) {
	dir := room(t)
	stderr, code := do(t, dir, "-n=1", "f=good", "f=bad", "f=also")
	equal(t, "the exit code", code, 1)
	equal(t, "the file", content(t, dir, "f"), linesOf("good", "A", "B")+linesOf("bad", "A", "B")+"# failed calls: one\n"+linesOf("also", "A", "B"))
	contains(t, stderr, "benchrounds: round 1: bad: exit status 1\n", "6 of 6 results", "benchrounds: 1 of 3 runs failed\n")
}

// Each binary is built before its first turn, when the results of those before it
// are there.
func TestBinariesAreBuiltOneAfterTheOther(t *testing.T) {
	dir := room(t)
	builder := "#!/bin/sh\ncat f 2>/dev/null >> built\necho $1 >> built\necho go: downloading example.com/m v1.0.0 >&2\ntest $1 != also || echo ld: warning\ntest $1 != broken || { echo it does not compile >&2; exit 2; }\n"
	if err := os.WriteFile(filepath.Join(dir, "builder"), []byte(builder), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		about, binaries string
		code            int
		built, kept     string
		say             []string
	}{
		{
			"all can be built", "f=less f=good f=also", 0, "less\ngood\n# skipped: no protobuf\n" + linesOf("good", "A", "B") + "also\n",
			"# skipped: no protobuf\n" + linesOf("good", "A", "B") + linesOf("also", "A", "B"),
			[]string{"building less, 0 s\nbuilding good, 0 s\nleft out: less has no case: nothing is left\n~4 cases in 1 rounds: about 0:06, and what building 1 more takes\nbuilding also, 0 s\nld: warning\nround 1/1 done, 4 of 4 results"},
		},
		{
			"a later one cannot", "f=good f=broken f=also", 1, "good\n" + linesOf("good", "A", "B") + "broken\n" + linesOf("good", "A", "B") + "also\n",
			linesOf("good", "A", "B") + linesOf("also", "A", "B"),
			[]string{"\nbuilding broken\ngo: downloading example.com/m v1.0.0\nit does not compile\nbenchrounds: round 1: broken: broken cannot be built", "4 of 4 results", "benchrounds: 1 of 3 runs failed\n"},
		},
		{
			"the first cannot", "f=broken f=good", 1, "broken\ngood\n", linesOf("good", "A", "B"),
			[]string{"it does not compile\nbenchrounds: round 1: broken: broken cannot be built", "building good, 0 s\n2 cases in 1 rounds", "benchrounds: 1 of 2 runs failed\n"},
		},
		{"none can", "f=broken", 2, "broken\n", "", []string{"benchrounds: round 1: broken: broken cannot be built", "benchrounds: 1 of 1 runs failed\n"}},
		{"none has a case", "f=less f=else", 2, "less\nelse\n", "", []string{"benchrounds: none of 2 binaries has a case; less has no case: nothing is left\n"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			for _, file := range []string{"f", "built"} {
				os.Remove(filepath.Join(dir, file))
			}
			stderr, code := do(t, dir, append([]string{"-n=1", "-build=./builder"}, strings.Fields(c.binaries)...)...)
			equal(t, "the exit code", code, c.code)
			equal(t, "the file at each build", content(t, dir, "built"), c.built)
			equal(t, "the file", content(t, dir, "f"), c.kept)
			contains(t, stderr, c.say...)
		})
	}
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("does not say %q: %s", part, text)
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
			for _, say := range []string{c.say, "round 1/2 done, ", "round 2/2 done, ", "\nbenchrounds: 2 of 4 runs failed\n"} {
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
		about, line string
		ok          bool
	}{
		{"a result", "BenchmarkA/b=1 \t 100\t 5.5 ns/op\n", true},
		{"more metrics", "BenchmarkA-8 100 5.5 ns/op 1e+06 calls/s", true},
		{"ns/op may be missing", "BenchmarkA 100 7 calls/s", true},
		{"a name without metrics", "BenchmarkA\n", false},
		{"a count without metrics", "BenchmarkA 100\n", false},
		{"a value without its unit", "BenchmarkA 100 5.5 ns/op 7\n", false},
		{"a failure, in four words", "BenchmarkA \t--- FAIL: BenchmarkA\n", false},
		{"a sentence about a benchmark", "BenchmarkA has 5 cases\n", false},
		{"a count that is none", "BenchmarkA many 5 ns/op\n", false},
		{"a line of a log, indented", "    BenchmarkA 100 5 ns/op\n", false},
		{"another line", "cpu: x 100 5 ns/op\n", false},
		{"nothing", "\n", false},
	} {
		if isResult(c.line) != c.ok {
			t.Errorf("%s: %q: %t", c.about, c.line, !c.ok)
		}
	}
}

func TestKeeperKeepsWholeLines(t *testing.T) {
	var to, progress bytes.Buffer
	k := &keeper{to: &to, p: newReporter(status.ToFile(&progress), 1)}
	for _, piece := range []string{"BenchmarkA \t", "100 5 ns/op", "\nBenchmarkB 100 5 ns/op\nx", "y\n\nz"} {
		if n, err := k.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	equal(t, "what is kept", to.String(), "BenchmarkA \t100 5 ns/op\nBenchmarkB 100 5 ns/op\nxy\n\n")
	equal(t, "the results", k.results, 2)
}

// A line that has no end takes no memory, and tells how long it was.
func TestKeeperKeepsNoLongLines(t *testing.T) {
	var to, progress bytes.Buffer
	k := &keeper{to: &to, p: newReporter(status.ToFile(&progress), 1)}
	piece := bytes.Repeat([]byte("x"), 32<<10)
	for range 1000 {
		if _, err := k.Write(piece); err != nil || len(k.begun) > mostLine {
			t.Fatal(err, len(k.begun))
		}
	}
	if _, err := k.Write([]byte("x\nBenchmarkA 100 5 ns/op\n")); err != nil {
		t.Fatal(err)
	}
	equal(t, "what is kept", to.String(), "# left out: a line of 32768002 bytes\nBenchmarkA 100 5 ns/op\n")
	equal(t, "the results", k.results, 1)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestKeeperReportsAFullDisk(t *testing.T) {
	k := &keeper{to: full{}, p: newReporter(status.Stderr(), 1)}
	_, err := k.Write([]byte("BenchmarkA 100 5 ns/op\n"))
	if err == nil || k.err == nil || k.results != 0 {
		t.Error(err, k.err, k.results)
	}
}

// Rounds of two builds in one file would be the figures of neither. What the first build
// measured is kept, and a command that builds may build before its binary's first turn.
func TestABinaryThatIsBuiltAgain(t *testing.T) {
	sentence := "benchrounds: anew was built again during the run: round 2 would measure another build; run again\n"
	for _, args := range [][]string{{"f=anew"}, {"-build=touch", "f=anew"}} {
		dir := room(t)
		stderr, code := do(t, dir, append([]string{"-n=3"}, args...)...)
		equal(t, "the exit code", code, 1)
		contains(t, stderr, sentence)
		equal(t, "the file", content(t, dir, "f"), linesOf("anew", "A", "B"))
	}
}

// TestNotesAreToldOnce: where results are shown at the end, what binaries say of them is in
// the file alone, unless it says why one failed.
func TestNotesAreToldOnce(t *testing.T) {
	dir := room(t)
	stderr, _ := do(t, dir, "-n=1", "-then=true", "f=loud", "g=bad")
	contains(t, stderr, "# failed calls: one\nbenchrounds: round 1: bad: exit status 1\n")
	equal(t, "notes of the other", strings.Contains(stderr, "forged"), false)
	contains(t, content(t, dir, "f"), "# failed calls: ")
	stderr, _ = do(t, dir, "-n=1", "f=loud", "g=bad")
	contains(t, stderr, "forged")
}
