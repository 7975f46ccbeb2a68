package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// header is what a binary prints before its results.
const header = `Unit p50-ns better=lower
Unit errors better=lower assume=exact
Unit conns assume=exact
goos: linux
cpu: fast
`

// bench are n result lines of a case whose times go up and down by 1 % around
// 1 ms times factor.
func bench(name string, n int, factor float64, more string) (text string) {
	for i := range n {
		t := 1e6 * factor * (0.99 + 0.02*float64(i)/float64(n))
		text += fmt.Sprintf("Benchmark%s 100 %.0f p50-ns %.0f calls/s %s\n", name, t, 1e9/t, more)
	}
	return text
}

// judged runs the gate over the texts of files.
func judged(t *testing.T, r rule, texts ...string) (out string, pass bool, err error) {
	t.Helper()
	t.Chdir(t.TempDir())
	names := []string{"base.txt", "head.txt"}
	if len(texts) == 3 {
		names = []string{"base.txt", "base2.txt", "head.txt"}
	}
	for i, text := range texts {
		if err := os.WriteFile(names[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	pass, err = gate(r, names, &b)
	return b.String(), pass, err
}

func TestVerdicts(t *testing.T) {
	base := header + bench("A", 10, 1, "0 errors 10 conns")
	for _, c := range []struct {
		about string
		rule  rule
		files []string
		pass  bool
		want  string // below the name of the case
	}{
		{"the same again passes", rule{dedicated: true}, []string{base, base}, true, `
  ok      p50-ns 999.0µs → 999.0µs +0.0% p=1.0000 n=10: no difference shown
  ok      conns 10: as in base
  ok      errors 0: as in base
of 3: 0 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"a worse time is told of", rule{}, []string{base, base, header + bench("A", 10, 1.1, "0 errors 10 conns")}, true, `
  slower  p50-ns 999.0µs → 1.099ms +10.0% p=0.0000 n=10: worse by more than 5%, with an A/A of 0.0%
  ok      conns 10: as in base
  ok      errors 0: as in base
of 3: 0 fail, 1 slower (which fails with -dedicated alone), 0 faster
`},
		{"and fails on a dedicated machine", rule{dedicated: true}, []string{base, header + bench("A", 10, 1.1, "0 errors 10 conns")}, false, `
  FAIL    p50-ns 999.0µs → 1.099ms +10.0% p=0.0000 n=10: worse by more than 5%
  ok      conns 10: as in base
  ok      errors 0: as in base
of 3: 1 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"but not when base differs from itself by half as much", rule{dedicated: true}, []string{base, header + bench("A", 10, 0.92, "0 errors 10 conns"), header + bench("A", 10, 1.1, "0 errors 10 conns")}, true, `
  ok      p50-ns 958.2µs → 1.099ms +14.7% p=0.0000 n=10: not more than 16.0%, twice the A/A of 8.0%
  ok      conns 10: as in base
  ok      errors 0: as in base
of 3: 0 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"nor by less than 5 %, however sure", rule{dedicated: true}, []string{base, header + bench("A", 10, 1.04, "0 errors 10 conns")}, true, `
  ok      p50-ns 999.0µs → 1.039ms +4.0% p=0.0000 n=10: not more than 5%
  ok      conns 10: as in base
  ok      errors 0: as in base
of 3: 0 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"nor when it may be chance", rule{dedicated: true, lines: 10}, []string{base, header + bench("A", 4, 0.9, "0 errors 10 conns") + bench("A", 6, 1.2, "0 errors 10 conns")}, true, `
  ok      p50-ns 999.0µs → 1.067ms +6.8% p=0.1793 n=10: no difference shown
  ok      conns 10: as in base
  ok      errors 0: as in base
of 3: 0 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"a better time passes", rule{dedicated: true}, []string{base, header + bench("A", 10, 0.8, "0 errors 10 conns")}, true, `
  faster  p50-ns 999.0µs → 799.2µs -20.0% p=0.0000 n=10: better by more than 5%
  ok      conns 10: as in base
  ok      errors 0: as in base
of 3: 0 fail, 0 slower (which fails with -dedicated alone), 1 faster
`},
		{"an exact value that base never had fails, even a single one", rule{}, []string{base, header + bench("A", 9, 1, "0 errors 10 conns") + bench("A", 1, 1, "0 errors 9 conns")}, false, `
  ok      p50-ns 999.0µs → 998.0µs -0.1% p=0.6100 n=10: no difference shown
  FAIL    conns 9 10: exact, and base has 10
  ok      errors 0: as in base
of 3: 1 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"an exact value that base had in its other run passes", rule{}, []string{base, header + bench("A", 10, 1, "0 errors 9 conns"), header + bench("A", 10, 1, "0 errors 9 conns")}, true, `
  ok      p50-ns 999.0µs → 999.0µs +0.0% p=1.0000 n=10: no difference shown
  ok      conns 9: as in base
  ok      errors 0: as in base
of 3: 0 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"failed calls fail, also those that base had", rule{}, []string{header + bench("A", 10, 1, "3 errors"), header + bench("A", 10, 1, "3 errors")}, false, `
  FAIL    errors 3: calls failed
  ok      p50-ns 999.0µs → 999.0µs +0.0% p=1.0000 n=10: no difference shown
  ok      errors 3: as in base
of 3: 1 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"failed calls fail without unit lines, and of a new case", rule{}, []string{"BenchmarkA 1 5 ns/op", "BenchmarkA 1 5 ns/op\nBenchmarkB 1 5 ns/op 1 errors"}, false, `
  ok      ns/op 5.000ns → 5.000ns +0.0% p=1.0000 n=1: no difference shown
BenchmarkB
  FAIL    errors 1: calls failed
  ok      new: not in base.txt
of 3: 1 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"a lost line fails", rule{}, []string{base, header + bench("A", 9, 1, "0 errors 10 conns")}, false, `
  FAIL    9 result lines in head.txt, 10 expected
  ok      p50-ns: not compared, for lack of pairs of times above 0
  ok      conns 10: as in base
  ok      errors 0: as in base
of 4: 1 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"and those lost everywhere, when told how many there were", rule{lines: 3}, []string{"BenchmarkA 1 5 ns/op", "BenchmarkA 1 5 ns/op"}, false, `
  FAIL    1 result lines in base.txt, 3 expected
  FAIL    1 result lines in head.txt, 3 expected
  ok      ns/op 5.000ns → 5.000ns +0.0% p=1.0000 n=1: no difference shown
of 3: 2 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"a lost case fails", rule{}, []string{"BenchmarkA 1 5 ns/op\nBenchmarkB 1 5 ns/op", "BenchmarkA 1 5 ns/op"}, false, `
  ok      ns/op 5.000ns → 5.000ns +0.0% p=1.0000 n=1: no difference shown
BenchmarkB
  FAIL    0 result lines in head.txt, 1 expected
of 2: 1 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"a lost unit fails", rule{}, []string{"BenchmarkA 1 5 ns/op 5 p50-ns", "BenchmarkA 1 5 ns/op"}, false, `
  ok      ns/op 5.000ns → 5.000ns +0.0% p=1.0000 n=1: no difference shown
  FAIL    p50-ns: lost
of 2: 1 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
		{"a time of zero is no division by it", rule{}, []string{"BenchmarkA 1 0 p50-ns 1 calls/s", "BenchmarkA 1 0 p50-ns 1 calls/s"}, true, `
  ok      p50-ns: not compared, for lack of pairs of times above 0
of 1: 0 fail, 0 slower (which fails with -dedicated alone), 0 faster
`},
	} {
		t.Run(c.about, func(t *testing.T) {
			out, pass, err := judged(t, c.rule, c.files...)
			if want := "BenchmarkA" + c.want; out != want || pass != c.pass || err != nil {
				t.Errorf("pass %t, error %v\n%s\nwant\n%s", pass, err, out, want)
			}
		})
	}
}

func TestWhatCannotBeJudged(t *testing.T) {
	good := header + bench("A", 10, 1, "0 errors")
	for _, c := range []struct{ about, head, say string }{
		{"no results", header + "PASS\n", "head.txt: no result lines; -bench may match nothing"},
		{"an empty file", "", "head.txt: no result lines; -bench may match nothing"},
		{"NaN", header + "BenchmarkA/b=1 1 5 ns/op NaN p99-ns", "head.txt:6: BenchmarkA/b=1 has NaN p99-ns, which is no measurement"},
		{"an infinity", header + "BenchmarkA 1 +Inf ns/op", "head.txt:6: BenchmarkA has +Inf ns/op, which is no measurement"},
		{"a required metric is missing", header + "BenchmarkA 1 5 p50-ns", "head.txt:6: BenchmarkA has neither calls/s nor ns/op: one of them must be there"},
		{"a required metric is missing once", header + "BenchmarkA 1 5 ns/op\nBenchmarkA 1 5 p50-ns", "head.txt:7: BenchmarkA has neither calls/s nor ns/op: one of them must be there"},
		{"another machine", strings.Replace(good, "fast", "slow", 1), `head.txt:6: measured with cpu "slow", but base.txt:6 with "fast": the figures of two machines cannot be mixed`},
		{"two machines in one file", header + "BenchmarkA 1 5 ns/op\ncpu: slow\nBenchmarkA 1 5 ns/op", `head.txt:8: measured with cpu "slow", but head.txt:6 with "fast": the figures of two machines cannot be mixed`},
		{"another part of the machine", header + "pin: 0/1\nBenchmarkA 1 5 ns/op\npin: none\nBenchmarkA 1 5 ns/op", `head.txt:9: measured with pin "none", but head.txt:7 with "0/1": the figures of two machines cannot be mixed`},
		{"a log line within a result", header + "BenchmarkA \tserver started\n 1 5 ns/op", "head.txt:6: not a result line: parsing iteration count: invalid syntax; something else may have been printed into it"},
		{"half a result", header + "BenchmarkA 1 5", "head.txt:6: not a result line: missing units; something else may have been printed into it"},
		{"a failed benchmark", good + "--- FAIL: BenchmarkB", "head.txt:16: the run failed: --- FAIL: BenchmarkB"},
		{"a failed benchmark behind its name", good + "BenchmarkB \t--- FAIL: BenchmarkB", "head.txt:16: the run failed: BenchmarkB \t--- FAIL: BenchmarkB"},
		{"a run that failed", good + "FAIL", "head.txt:16: the run failed: FAIL"},
		{"a panic", good + "panic: oh no", "head.txt:16: the run failed: panic: oh no"},
	} {
		t.Run(c.about, func(t *testing.T) {
			out, _, err := judged(t, rule{}, good, c.head)
			if got := fmt.Sprint(err); got != c.say || out != "" {
				t.Errorf("says %v and prints %q, want %s", err, out, c.say)
			}
		})
	}
}

func TestAGateMustBeAbleToFail(t *testing.T) {
	six, seven := header+bench("A", 6, 1, ""), header+bench("A", 7, 1, "")
	_, _, err := judged(t, rule{dedicated: true}, six, six)
	if want := "6 result lines of each case: -dedicated needs 7 or more, fewer do not show the noise"; fmt.Sprint(err) != want {
		t.Errorf("says %v, want %s", err, want)
	}
	if _, pass, err := judged(t, rule{dedicated: true}, seven, header+bench("A", 7, 1.1, "")); pass || err != nil {
		t.Errorf("pass %t, error %v of all 7 worse by 10 %%", pass, err)
	}
}

func TestFiles(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "base.txt")
	for _, c := range []struct {
		about string
		files []string
		say   string
	}{
		{"one file is nothing to compare", []string{"a"}, "1 files given; must be base.txt [base2.txt] head.txt"},
		{"four are too many", []string{"a", "b", "c", "d"}, "4 files given; must be base.txt [base2.txt] head.txt"},
		{"a file that is not there", []string{missing, missing}, "open " + missing + ": no such file or directory"},
	} {
		if _, err := gate(rule{}, c.files, nil); fmt.Sprint(err) != c.say {
			t.Errorf("%s: says %v, want %s", c.about, err, c.say)
		}
	}
}
