package verdict

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
	"github.com/rpcbench/rpcbench/cmd/internal/scales"
)

// header is what a binary prints before its results.
const header = `Unit p50-ns better=lower
Unit errors better=lower assume=exact
Unit conns assume=exact
goos: linux
cpu: fast
`

// bench are n result lines of a case whose time is 1 ms times factor, and
// spread evenly by so much to either side, in an order that seed decides.
func bench(name string, n int, factor, spread float64, seed uint64, more string) (text string) {
	for _, i := range rand.New(rand.NewPCG(seed, seed)).Perm(n) {
		t := 1e6 * factor * (1 - spread + 2*spread*float64(i)/float64(n-1))
		text += fmt.Sprintf("Benchmark%s 100 %.0f p50-ns %.0f calls/s %s\n", name, t, 1e9/t, more)
	}
	return text
}

// steady differs by 2 % from turn to turn.
func steady(factor float64, seed uint64, more string) string {
	return header + bench("A", 20, factor, 0.02, seed, more)
}

func judged(t *testing.T, r Rule, texts ...string) (*Report, error) {
	t.Helper()
	var files []*Results
	for i, text := range texts {
		f, err := parse([]string{"base.txt", "base2.txt", "head.txt"}[i], []byte(text))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return r.Judge(files[0], files[1], files[2])
}

// shown has the sentence and the rows of a report, one below the other.
func shown(r *Report) string {
	text := r.Text("base", "head")
	sentence, rest, _ := strings.Cut(text, "\n")
	_, rest, _ = strings.Cut(rest, "  verdict\n")
	rows, _, _ := strings.Cut(rest, "\n\n")
	return sentence + "\n" + rows + "\n"
}

func TestVerdicts(t *testing.T) {
	base, again := steady(1, 1, "0 errors 10 conns"), steady(1, 2, "0 errors 10 conns")
	alloc := func(allocs int, seed uint64) string {
		return steady(1, seed, fmt.Sprintf("%d allocs/op %d.005 server-allocs/op", 12, allocs))
	}
	one := func(line string) string { return strings.Repeat(line+"\n", 20) }
	for _, c := range []struct {
		about string
		rule  Rule
		files []string
		want  string
	}{
		{"equal programs do not differ", Rule{}, []string{base, again, steady(1, 3, "0 errors 10 conns")}, `
No difference of 5 % or more in 1 benchmark; nothing fails.
A
  calls/s     1000    0.0%  -1.9..+2.0  -0.1    2.5  no difference
  p50-ns   1.000ms    0.0%  -2.0..+1.9  +0.1    2.5  no difference
`},
		{"a slowdown is told of", Rule{}, []string{base, again, steady(1.1, 3, "0 errors 10 conns")}, `
1 of 1 benchmark is slower, 99.9 % sure: A (p50-ns +10.0%, +7.8..+12.1); nothing fails.
A
  calls/s     1000   -9.1%  -10.8..-7.2  -0.1    2.5  slower
  p50-ns   1.000ms  +10.0%  +7.8..+12.1  +0.1    2.5  slower
`},
		{"and fails on a dedicated machine", Rule{Dedicated: true}, []string{base, again, steady(1.1, 3, "0 errors 10 conns")}, `
1 of 1 benchmark fails, 99.9 % sure: A (p50-ns +10.0%, +7.8..+12.1).
A
  calls/s     1000   -9.1%  -10.8..-7.2  -0.1    2.5  FAIL, slower
  p50-ns   1.000ms  +10.0%  +7.8..+12.1  +0.1    2.5  FAIL, slower
`},
		{"one of 4 % does not fail", Rule{Dedicated: true}, []string{base, again, steady(1.04, 3, "0 errors 10 conns")}, `
1 of 1 benchmark is slower, 99.9 % sure: A (p50-ns +4.0%, +2.0..+6.0); nothing fails.
A
  calls/s     1000   -3.8%  -5.6..-1.9  -0.1    2.5  slower
  p50-ns   1.000ms   +4.0%  +2.0..+6.0  +0.1    2.5  slower
`},
		{"one of less than 1 % is none", Rule{Dedicated: true}, []string{header + one("BenchmarkA 1 1000 ns/op"), header + one("BenchmarkA 1 1000 ns/op"), header + one("BenchmarkA 1 1009 ns/op")}, `
No difference of 5 % or more in 1 benchmark; nothing fails.
A
  ns/op  1.000µs   +0.9%  +0.9..+0.9  0.0    1.0  no difference
`},
		{"one of less than twice A/A is none", Rule{Dedicated: true}, []string{base, steady(0.92, 2, "0 errors 10 conns"), steady(1.1, 3, "0 errors 10 conns")}, `
No change that this run could see in 1 benchmark; 2 of 2 rows cannot tell; nothing fails.
A
  calls/s     1000   -9.1%  -10.8..-7.2  +8.6   17.8  cannot tell
  p50-ns   1.000ms  +10.0%  +7.8..+12.1  -7.9   16.4  cannot tell
`},
		{"a better time is faster", Rule{Dedicated: true}, []string{base, again, steady(0.8, 3, "0 errors 10 conns")}, `
1 of 1 benchmark is faster, 99.9 % sure: A (calls/s +25.0%, +22.7..+27.5); nothing fails.
A
  calls/s     1000  +25.0%  +22.7..+27.5  -0.1    2.5  faster
  p50-ns   1.000ms  -20.0%  -21.6..-18.5  +0.1    2.5  faster
`},
		{"noise is not equality", Rule{Dedicated: true}, []string{header + bench("A", 20, 1, 0.5, 1, ""), header + bench("A", 20, 1, 0.5, 2, ""), header + bench("A", 20, 1, 0.5, 3, "")}, `
No change that this run could see in 1 benchmark; 2 of 2 rows cannot tell; nothing fails.
A
  calls/s     1000   +0.5%  -39.1..+68.9  0.0   89.7  cannot tell
  p50-ns   1.000ms   -0.5%  -40.8..+64.1  0.0   89.7  cannot tell
`},
		{"10 pairs tell nothing", Rule{Lines: 10}, []string{header + bench("A", 10, 1, 0.02, 1, ""), header + bench("A", 10, 1, 0.02, 2, ""), header + bench("A", 10, 2, 0.02, 3, "")}, `
No change that this run could see in 1 benchmark; 2 of 2 rows cannot tell; nothing fails.
A
  calls/s     1000  -49.9%   unknown  0.0      -  cannot tell
  p50-ns   1.000ms  +99.6%   unknown  0.0      -  cannot tell
`},
		{"one allocation more of seven fails there, too", Rule{Dedicated: true}, []string{alloc(7, 1), alloc(7, 2), alloc(8, 3)}, `
1 of 1 benchmark fails, 99.9 % sure: A (server-allocs/op +14.3%).
A
  calls/s              1000    0.0%    -1.9..+2.0  -0.1    2.5  no difference
  p50-ns            1.000ms    0.0%    -2.0..+1.9  +0.1    2.5  no difference
  allocs/op              12    0.0%      0.0..0.0   0.0    4.2  no difference
  server-allocs/op    7.005  +14.3%  +14.3..+14.3   0.0    7.1  FAIL, more
`},
		{"and one less", Rule{}, []string{alloc(80, 1), alloc(80, 2), alloc(79, 3)}, `
1 of 1 benchmark needs less, 99.9 % sure: A (server-allocs/op -1.2%); nothing fails.
A
  calls/s              1000    0.0%  -1.9..+2.0  -0.1    2.5  no difference
  p50-ns            1.000ms    0.0%  -2.0..+1.9  +0.1    2.5  no difference
  allocs/op              12    0.0%    0.0..0.0   0.0    4.2  no difference
  server-allocs/op       80   -1.2%  -1.2..-1.2   0.0    0.6  less
`},
		{"an allocation where there was none", Rule{}, []string{header + one("BenchmarkA 1 5 ns/op 0 allocs/op"), header + one("BenchmarkA 1 5 ns/op 0 allocs/op"), header + one("BenchmarkA 1 5 ns/op 1 allocs/op")}, `
1 of 1 benchmark needs more, 99.9 % sure: A (allocs/op +1); nothing fails.
A
  ns/op      5.000ns    0.0%  0.0..0.0  0.0    1.0  no difference
  allocs/op        0      +1    +1..+1    0    0.5  more
`},
		{"what is near 0 is 0", Rule{}, []string{header + one("BenchmarkA 1 5 ns/op 0.001 server-allocs/op 0.2 server-B/op"), header + one("BenchmarkA 1 5 ns/op 0.002 server-allocs/op 0 server-B/op"), header + one("BenchmarkA 1 5 ns/op 0 server-allocs/op 0 server-B/op")}, `
No difference of 5 % or more in 1 benchmark; nothing fails.
A
  ns/op             5.000ns    0.0%    0.0..0.0   0.0    1.0  no difference
  server-B/op           0.2    -0.2  -0.2..-0.2  -0.2      1  no difference
  server-allocs/op        0       0        0..0     0    0.5  no difference
`},
		{"bytes", Rule{}, []string{header + one("BenchmarkA 1 5 ns/op 4000 B/op 4000 server-B/op"), header + one("BenchmarkA 1 5 ns/op 4000 B/op 4000 server-B/op"), header + one("BenchmarkA 1 5 ns/op 4096 B/op 3900 server-B/op")}, `
1 of 1 benchmark needs more, 99.9 % sure: A (B/op +2.4%); 1 needs less, 99.9 % sure: A (server-B/op -2.5%); nothing fails.
A
  ns/op        5.000ns    0.0%    0.0..0.0  0.0    1.0  no difference
  B/op            4000   +2.4%  +2.4..+2.4  0.0    1.0  more
  server-B/op     4000   -2.5%  -2.5..-2.5  0.0    1.0  less
`},
		{"a new exact value fails, even a single one", Rule{}, []string{base, again, header + bench("A", 19, 1, 0.02, 3, "0 errors 10 conns") + bench("A", 2, 1, 0.02, 3, "0 errors 9 conns")[:60] + "\n"}, `
1 of 1 benchmark fails: A (conns 9 10, base has 10 and is exact).
A
  conns    FAIL: 9 10, base has 10 and is exact
  calls/s     1000    0.0%  -1.6..+1.8  -0.1    2.1  no difference
  p50-ns   1.000ms    0.0%  -1.8..+1.6  +0.1    2.1  no difference
`},
		{"an exact value that base had in its other run passes", Rule{}, []string{base, steady(1, 2, "0 errors 9 conns"), steady(1, 3, "0 errors 9 conns")}, `
No difference of 5 % or more in 1 benchmark; nothing fails.
A
  calls/s     1000    0.0%  -1.9..+2.0  -0.1    2.5  no difference
  p50-ns   1.000ms    0.0%  -2.0..+1.9  +0.1    2.5  no difference
`},
		{"a lost exact unit fails", Rule{}, []string{base, again, steady(1, 3, "0 errors")}, `
1 of 1 benchmark fails: A (conns lost: head has none).
A
  conns    FAIL: lost: head has none
  calls/s     1000    0.0%  -1.9..+2.0  -0.1    2.5  no difference
  p50-ns   1.000ms    0.0%  -2.0..+1.9  +0.1    2.5  no difference
`},
		{"a line without an exact unit fails", Rule{}, []string{base, again, header + bench("A", 19, 1, 0.02, 3, "0 errors 10 conns") + "BenchmarkA 1 1e6 p50-ns 1000 calls/s 0 errors\n"}, `
1 of 1 benchmark fails: A (conns in 19 of 20 lines, base has it in all).
A
  conns    FAIL: in 19 of 20 lines, base has it in all
  calls/s     1000    0.0%  -1.6..+1.6  -0.1    2.0  no difference
  p50-ns   1.000ms    0.0%  -1.6..+1.6  +0.1    2.0  no difference
`},
		{"unless base has such lines too", Rule{}, []string{base, header + bench("A", 19, 1, 0.02, 2, "0 errors 10 conns") + "BenchmarkA 1 1e6 p50-ns 1000 calls/s 0 errors\n", header + bench("A", 19, 1, 0.02, 3, "0 errors 10 conns") + "BenchmarkA 1 1e6 p50-ns 1000 calls/s 0 errors\n"}, `
No difference of 5 % or more in 1 benchmark; nothing fails.
A
  calls/s     1000    0.0%  -1.6..+1.6  -0.1    2.0  no difference
  p50-ns   1.000ms    0.0%  -1.6..+1.6  +0.1    2.0  no difference
`},
		{"failed calls fail, also those that base had", Rule{}, []string{steady(1, 1, "3 errors"), steady(1, 2, "3 errors"), steady(1, 3, "3 errors")}, `
1 of 1 benchmark fails: A (errors up to 3 calls of a line failed).
A
  errors   FAIL: up to 3 calls of a line failed
  calls/s     1000    0.0%  -1.9..+2.0  -0.1    2.5  no difference
  p50-ns   1.000ms    0.0%  -2.0..+1.9  +0.1    2.5  no difference
`},
		{"a lost line fails, and nothing is compared", Rule{}, []string{steady(1, 1, "8 allocs/op"), steady(1, 2, "8 allocs/op"), header + bench("A", 19, 1, 0.02, 3, "80 allocs/op")}, `
1 of 1 benchmark fails: A (lines 19 in head.txt, 20 expected); 3 of 3 rows cannot tell.
A
  lines      FAIL: 19 in head.txt, 20 expected
  calls/s       -       -   unknown    -      -  cannot tell
  p50-ns        -       -   unknown    -      -  cannot tell
  allocs/op     -       -   unknown    -      -  cannot tell
`},
		{"lines lost everywhere fail", Rule{Lines: 21}, []string{base, again, steady(1, 3, "0 errors 10 conns")}, `
1 of 1 benchmark fails: A (lines 20 in base.txt, 21 expected).
A
  lines    FAIL: 20 in base.txt, 21 expected
  lines    FAIL: 20 in base2.txt, 21 expected
  lines    FAIL: 20 in head.txt, 21 expected
  calls/s     1000    0.0%  -1.9..+2.0  -0.1    2.5  no difference
  p50-ns   1.000ms    0.0%  -2.0..+1.9  +0.1    2.5  no difference
`},
		{"a lost unit fails", Rule{}, []string{header + one("BenchmarkA 1 5 ns/op 5 p50-ns"), header + one("BenchmarkA 1 5 ns/op 5 p50-ns"), header + one("BenchmarkA 1 5 ns/op")}, `
1 of 1 benchmark fails: A (p50-ns lost: head has none).
A
  ns/op   5.000ns    0.0%  0.0..0.0  0.0    1.0  no difference
  p50-ns  FAIL: lost: head has none
`},
		{"a lost unit fails, even if a line of base was without it", Rule{}, []string{header + one("BenchmarkA 1 5 ns/op 5 p50-ns")[30:] + "BenchmarkA 1 5 ns/op\n", header + one("BenchmarkA 1 5 ns/op 5 p50-ns"), header + one("BenchmarkA 1 5 ns/op")}, `
1 of 1 benchmark fails: A (p50-ns lost: head has none).
A
  ns/op   5.000ns    0.0%  0.0..0.0  0.0    1.0  no difference
  p50-ns  FAIL: lost: head has none
`},
		{"a percentile that few lines of base have is not lost, but cannot be compared", Rule{}, []string{header + "BenchmarkA 1 5 ns/op 9 p99-ns\n" + one("BenchmarkA 1 5 ns/op")[21:], header + one("BenchmarkA 1 5 ns/op 9 p99-ns"), header + one("BenchmarkA 1 5 ns/op")}, `
No change that this run could see in 1 benchmark; 1 of 2 rows cannot tell; nothing fails.
A
  ns/op   5.000ns    0.0%  0.0..0.0  0.0    1.0  no difference
  p99-ns        -       -   unknown    -      -  cannot tell
`},
		{"a base that differs from itself by more than half of what is no difference", Rule{}, []string{header + one("BenchmarkA 1 1000 ns/op"), header + one("BenchmarkA 1 1040 ns/op"), header + one("BenchmarkA 1 1049 ns/op")}, `
No change that this run could see in 1 benchmark; 1 of 1 rows cannot tell; nothing fails.
A
  ns/op  1.000µs   +4.9%  +4.9..+4.9  +4.0    8.0  cannot tell
`},
		{"a percentile that some lines are too short for is compared where it is", Rule{}, []string{header + strings.Repeat("BenchmarkA 1 5 ns/op 9 p99-ns\nBenchmarkA 1 5 ns/op\n", 10), header + one("BenchmarkA 1 5 ns/op 9 p99-ns"), header + one("BenchmarkA 1 5 ns/op 9 p99-ns")}, `
No change that this run could see in 1 benchmark; 1 of 2 rows cannot tell; nothing fails.
A
  ns/op   5.000ns    0.0%  0.0..0.0  0.0    1.0  no difference
  p99-ns  9.000ns    0.0%   unknown  0.0      -  cannot tell
`},
		{"of two benchmarks each has its rows", Rule{Dedicated: true}, []string{
			header + one("BenchmarkE/framework=grpc/codec=a/size=1KiB/conc=1-2 1 5 ns/op") + one("BenchmarkE/framework=grpc/codec=a/size=1KiB/conc=10-2 1 7 ns/op"),
			header + one("BenchmarkE/framework=grpc/codec=a/size=1KiB/conc=1-2 1 5 ns/op") + one("BenchmarkE/framework=grpc/codec=a/size=1KiB/conc=10-2 1 7 ns/op"),
			header + one("BenchmarkE/framework=grpc/codec=a/size=1KiB/conc=1-2 1 6 ns/op") + one("BenchmarkE/framework=grpc/codec=a/size=1KiB/conc=10-2 1 6 ns/op"),
		}, `
1 of 2 benchmarks fails, 99.9 % sure: conc=1 (ns/op +20.0%); 1 is faster, 99.9 % sure: conc=10 (ns/op -14.3%).
conc=1
  ns/op  5.000ns  +20.0%  +20.0..+20.0  0.0    1.0  FAIL, slower
conc=10
  ns/op  7.000ns  -14.3%  -14.3..-14.3  0.0    1.0  faster
`},
		{"a lost benchmark fails, and a new one is told of", Rule{}, []string{
			header + one("BenchmarkA 1 5 ns/op") + one("BenchmarkB 1 5 ns/op"), header + one("BenchmarkA 1 5 ns/op") + one("BenchmarkB 1 5 ns/op"), header + one("BenchmarkA 1 5 ns/op") + one("BenchmarkC 1 5 ns/op"),
		}, `
1 of 2 benchmarks fails: B (lines 0 in head.txt, 20 expected); 1 is new: C.
A
  ns/op      5.000ns    0.0%  0.0..0.0  0.0    1.0  no difference
B
  lines      FAIL: 0 in head.txt, 20 expected
C
  benchmark  new: not in base
`},
		{"a new benchmark is not among those without a difference", Rule{}, []string{header + one("BenchmarkA 1 5 ns/op"), header + one("BenchmarkA 1 5 ns/op"), header + one("BenchmarkA 1 5 ns/op") + one("BenchmarkC 1 5 ns/op")}, `
No difference of 5 % or more in 1 benchmark; 1 is new: C; nothing fails.
A
  ns/op      5.000ns    0.0%  0.0..0.0  0.0    1.0  no difference
C
  benchmark  new: not in base
`},
	} {
		t.Run(c.about, func(t *testing.T) {
			if c.rule.Lines == 0 {
				c.rule.Lines = 20
			}
			report, err := judged(t, c.rule, c.files...)
			require.NoError(t, err)
			assert.Equal(t, strings.TrimPrefix(c.want, "\n"), shown(report))
		})
	}
}

// Every figure is judged, both ways: twice or half of it is a change, and for the
// worse it fails on a dedicated machine.
func TestEveryUnitIsJudged(t *testing.T) {
	of := func(unit string, value int) string {
		rate := " 50 calls/s" // instead of ns/op, which hides it
		if unit == "calls/s" {
			rate = ""
		}
		return header + strings.Repeat(fmt.Sprintf("BenchmarkA 1 10 conns %d %s%s\n", value, unit, rate), 20)
	}
	for _, c := range []struct {
		unit        string
		twice, half Status
	}{
		{"calls/s", Faster, Slower},
		{"ns/op", Slower, Faster},
		{"p50-ns", Slower, Faster},
		{"p99-ns", Slower, Faster},
		{"cpu-ns/op", Slower, Faster},
		{"client-cpu-ns/op", Slower, Faster},
		{"server-cpu-ns/op", Slower, Faster},
		{"B/op", More, Less},
		{"allocs/op", More, Less},
		{"server-B/op", More, Less},
		{"server-allocs/op", More, Less},
		{"wire-B/op", More, Less},
		{"client-B/op", More, Less},
		{"client-allocs/op", More, Less},
		{"request-wire-B/op", More, Less},
		{"reply-wire-B/op", More, Less},
		{"segs/op", More, Less},
		{"client-syscalls/op", More, Less},
		{"server-syscalls/op", More, Less},
	} {
		for value, want := range map[int]Status{2000: c.twice, 500: c.half} {
			for _, dedicated := range []bool{false, true} {
				report, err := judged(t, Rule{Lines: 20, Dedicated: dedicated}, of(c.unit, 1000), of(c.unit, 1000), of(c.unit, value))
				require.NoError(t, err)
				i := slices.IndexFunc(report.Benchmarks[0].Rows, func(r Row) bool { return r.Unit == c.unit })
				require.GreaterOrEqual(t, i, 0, "%s is not judged", c.unit)
				row := report.Benchmarks[0].Rows[i]
				status := want
				if dedicated && (want == Slower || want == More) {
					status = Fail
					assert.Equal(t, want, row.Worse, c.unit)
				}
				assert.Equal(t, status, row.Status, "1000 becomes %d %s, dedicated: %t", value, c.unit, dedicated)
				assert.InDelta(t, float64(value)/1000-1, row.Change.Value, 1e-9, c.unit)
			}
		}
	}
}

func TestWhatCannotBeJudged(t *testing.T) {
	good := header + "BenchmarkA 1 5 ns/op\n"
	for _, c := range []struct{ about, head, say string }{
		{"no results", header + "PASS\n", "head.txt: no result lines; -bench may match nothing"},
		{"an empty file", "", "head.txt: it is empty: the run that was to write it may have failed"},
		{"NaN", header + "BenchmarkA/b=1 1 5 ns/op NaN p99-ns", "head.txt:6: BenchmarkA/b=1 has NaN p99-ns, which is no measurement"},
		{"two values", header + "BenchmarkA 1 5 ns/op 6 ns/op", "head.txt:6: BenchmarkA has two values of ns/op"},
		{"fewer iterations than none", header + "BenchmarkA -5 5 ns/op", "head.txt:6: BenchmarkA has -5 calls, which is no measurement"},
		{"a negative time", header + "BenchmarkA 1 -5 ns/op", "head.txt:6: BenchmarkA has -5 ns/op, which is no measurement"},
		{"a command to the terminal", header + "BenchmarkA 1 5 ns/op NaN \x1b[2J", `head.txt:6: BenchmarkA has NaN \x1b[2J, which is no measurement`},
		{"a command in what a failure says", good + "panic: \x1b[2J", `head.txt:7: the run failed: panic: \x1b[2J`},
		{"an infinity", header + "BenchmarkA 1 +Inf ns/op", "head.txt:6: BenchmarkA has +Inf ns/op, which is no measurement"},
		{"a required metric is missing", header + "BenchmarkA 1 5 p50-ns", "head.txt:6: BenchmarkA has neither calls/s nor ns/op: one of them must be there"},
		{"a required metric is missing once", header + "BenchmarkA 1 5 ns/op\nBenchmarkA 1 5 p50-ns", "head.txt:7: BenchmarkA has neither calls/s nor ns/op: one of them must be there"},
		{"another machine", strings.Replace(good, "fast", "slow", 1), `head.txt:6: measured with cpu "slow", but base.txt:6 with "fast": the figures of two machines cannot be mixed`},
		{"two machines in one file", good + "cpu: slow\nBenchmarkA 1 5 ns/op", `head.txt:8: measured with cpu "slow", but head.txt:6 with "fast": the figures of two machines cannot be mixed`},
		{"another part of the machine", header + "pin: 0/1\nBenchmarkA 1 5 ns/op\npin: none\nBenchmarkA 1 5 ns/op", `head.txt:9: measured with pin "none", but head.txt:7 with "0/1": the figures of two machines cannot be mixed`},
		{"a log line within a result", header + "BenchmarkA \tserver started\n 1 5 ns/op", "head.txt:6: not a result line: parsing iteration count: invalid syntax; something else may have been printed into it"},
		{"half a result", header + "BenchmarkA 1 5", "head.txt:6: not a result line: missing units; something else may have been printed into it"},
		{"an interrupted run", good + "BenchmarkB \t\n# interrupted in case 2 of 2, which has no result", "head.txt:7: the run was interrupted or the file cut off in this line"},
		{"a failed benchmark", good + "--- FAIL: BenchmarkB", "head.txt:7: the run failed: --- FAIL: BenchmarkB"},
		{"a failed benchmark behind its name", good + "BenchmarkB \t--- FAIL: BenchmarkB", `head.txt:7: the run failed: BenchmarkB     --- FAIL: BenchmarkB`},
		{"a run that failed", good + "FAIL", "head.txt:7: the run failed: FAIL"},
		{"a panic", good + "panic: oh no", "head.txt:7: the run failed: panic: oh no"},
	} {
		_, err := judged(t, Rule{Lines: 1}, good, good, c.head+"\n")
		assert.EqualError(t, err, c.say, c.about)
	}
	_, err := judged(t, Rule{Lines: 1}, good, good, good+"BenchmarkA 1 5 ns/op")
	assert.EqualError(t, err, "head.txt:7: the run was interrupted or the file cut off in this line")
}

// One turn's line and the next's are of one package and version.
func TestRepeatsOfASideAreAlike(t *testing.T) {
	for about, c := range map[string]struct{ first, second, want string }{
		"two versions in one side": {"grpc: v1.7.0\n", "grpc: v1.8.0\n", "base.txt: lines of BenchmarkA differ in the version of grpc: v1.7.0 and v1.8.0; give them as files of their own"},
	} {
		_, err := parse("base.txt", []byte(header+c.first+bench("A", 5, 1, .02, 1, "")+c.second+bench("A", 5, 1, .02, 2, "")))
		assert.EqualError(t, err, c.want, about)
	}
	_, err := parse("base.txt", []byte(header+bench("A", 5, 1, .02, 1, "")+bench("A-2", 5, 1, .02, 2, "")))
	assert.NoError(t, err, "numbers of procs are two cases")
}

// Packages may have benchmarks of one name.
func TestPackagesHaveRowsOfTheirOwn(t *testing.T) {
	side := func(file string, slow int, packages ...string) *Results {
		text := header
		for turn := 1; turn <= 8; turn++ {
			for i, pkg := range packages {
				text += fmt.Sprintf("pkg: %s\nBenchmarkA 1 %d ns/op\n", pkg, 500+slow*i+turn%3)
			}
		}
		r, err := parse(file, []byte(text))
		require.NoError(t, err)
		return r
	}
	for about, c := range map[string]struct {
		base, head []string
		want       string
	}{
		"one package":              {[]string{"x/a"}, []string{"x/a"}, "[BenchmarkA] 8 8"},
		"it was moved":             {[]string{"x/a"}, []string{"x/b"}, "[BenchmarkA] 8 8"},
		"two with one name":        {[]string{"x/a", "x/b"}, []string{"x/a", "x/b"}, "[BenchmarkA package x/a BenchmarkA package x/b] 8 8"},
		"one of them is not there": {[]string{"x/a", "x/b"}, []string{"x/a"}, "[BenchmarkA package x/a BenchmarkA package x/b] 8 0"},
	} {
		base, again, head := side("base.txt", 1, c.base...), side("again.txt", 1, c.base...), side("head.txt", 1, c.head...)
		report, err := Rule{Lines: 8}.Judge(base, again, head)
		require.NoError(t, err, about)
		var names []string
		for _, b := range report.Benchmarks {
			names = append(names, b.Name.Full)
		}
		first := Together(base, again, head)[0].First(5)
		assert.Len(t, first.of[names[0]], 5, "an interrupt leaves turns of each")
		assert.Equal(t, c.want, fmt.Sprint(names, " ", len(base.all)/len(names), " ", Turns(base, again, head)), about)
		if len(names) == 2 {
			assert.Contains(t, report.Text("base", "head"), "package x/b", about)
		}
	}
}

// What it costs to judge a case does not grow with the number of cases.
// Slow: each row simulates hundreds of comparisons.
func TestManyCases(t *testing.T) {
	if testing.Short() {
		t.Skip("it judges for seconds")
	}
	scales.Linear(t, 2_000, func(n int) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "BenchmarkA/framework=grpc/i=%d 1 5 ns/op 6 calls/s 7 p50-ns\n", i)
		}
		report, err := judged(t, Rule{Lines: 1}, b.String(), b.String(), b.String())
		require.NoError(t, err)
		assert.Equal(t, 2*n, strings.Count(report.Text("base", "head"), "  cannot tell\n"))
	})
}

// What a name, a setting or a commit is called does not reach the terminal raw.
func TestForeignText(t *testing.T) {
	text := header + "gogc: 1\x1b[2J\nBenchmarkA/x=1 1 5 ns/op\n"
	report, err := judged(t, Rule{Lines: 1, Mixed: true}, text, text, strings.Replace(text, "1\x1b[2J", "2\u202e", 1))
	require.NoError(t, err)
	shown := report.Text("origin/\x1b[2J", "head\n")
	assert.NotContains(t, shown, "\x1b")
	assert.NotContains(t, shown, "\u202e")
	assert.Contains(t, shown, `gogc is 1\x1b[2J and 2\u202e;`)
	assert.Contains(t, shown, "\nhead\\n against origin/\\x1b[2J, 1 pairs: x=1\n")
}

// After an interrupt the turns count that all binaries finished.
func TestTurns(t *testing.T) {
	var files []*Results
	for _, text := range []string{"BenchmarkA 1 5 ns/op\nBenchmarkB 1 5 ns/op\nBenchmarkA 1 6 ns/op\nBenchmarkB 1 5 ns/op\n", "BenchmarkA 1 5 ns/op\nBenchmarkB 1 5 ns/op\nBenchmarkA 1 5 ns/op\n"} {
		f, err := parse("a.txt", []byte(text))
		require.NoError(t, err)
		files = append(files, f)
	}
	assert.Equal(t, 2, Turns(files[0]))
	assert.Equal(t, 1, Turns(files...))
	assert.Equal(t, []float64{5}, files[0].First(1).values("BenchmarkA", "ns/op"))
}

func TestText(t *testing.T) {
	text := func(factor float64, seed uint64) string {
		s := header
		for _, f := range []string{"grpc/transport=h2/codec=protobuf", "kitex/transport=pool/codec=thrift"} {
			s += bench("Echo/framework="+f+"/size=1KiB/conc=100", 20, factor, 0.02, seed, "10 conns 0 errors 57.01 server-allocs/op 80 allocs/op")
		}
		return s
	}
	report, err := judged(t, Rule{Lines: 20}, text(1, 1), text(1, 2), text(1.2, 3))
	require.NoError(t, err)
	assert.Equal(t, `2 of 2 benchmarks are slower, 99.9 % sure: grpc/h2/protobuf (p50-ns +20.0%, +17.6..+22.3), kitex/pool/thrift (p50-ns +20.0%, +17.6..+22.3); nothing fails.

head against origin/main, 20 pairs: Echo size=1KiB conc=100

                       base  change      interval   A/A  finds  verdict
grpc/h2/protobuf
  calls/s              1000  -16.7%  -18.2..-15.0  -0.1    2.5  slower
  p50-ns            1.000ms  +20.0%  +17.6..+22.3  +0.1    2.5  slower
  allocs/op              80    0.0%      0.0..0.0   0.0    0.6  no difference
  server-allocs/op    57.01    0.0%      0.0..0.0   0.0    0.9  no difference
kitex/pool/thrift
  calls/s              1000  -16.7%  -18.2..-15.0  -0.1    2.5  slower
  p50-ns            1.000ms  +20.0%  +17.6..+22.3  +0.1    2.5  slower
  allocs/op              80    0.0%      0.0..0.0   0.0    0.6  no difference
  server-allocs/op    57.01    0.0%      0.0..0.0   0.0    0.9  no difference

change    of head against base, in %; in the unit itself where a figure is 0
interval  holds the true change with 99.9 % confidence
A/A       the change of base against base: noise
finds     the change that 4 of 5 such comparisons would find
no difference: less than 5 % up or down, or than half an allocation or a byte
cannot tell: the interval is too wide, or A/A is over half of the change or of
what no difference allows; more rounds, or a quieter machine, would tell
Chance alone shows a change in at most 0.8 % of comparisons this large.
As in base: conns, errors.
`, report.Text("origin/main", "head"))
	for line := range strings.Lines(report.Text("origin/main", "head")[100:]) {
		assert.LessOrEqual(t, len(line), 81, line)
	}
}

// A comparison of a program with itself shows a change in at most as many rows
// as the table says, and mostly in fewer, since it must be more than noise.
// Slow: each row simulates hundreds of comparisons.
func TestFalseAlarms(t *testing.T) {
	const runs = 3000
	r, alarms, chance := rand.New(rand.NewPCG(3, 3)), 0, 0.0
	for range runs {
		var texts [3]string
		for range 12 {
			machine := 0.8 + 0.4*r.Float64()
			for i := range texts {
				texts[i] += fmt.Sprintf("BenchmarkA 1 %.0f ns/op %.0f p50-ns %.0f allocs/op\n",
					1e6*machine*(1+0.1*r.ExpFloat64()), 1e6*machine*(1+0.1*r.NormFloat64()), 80+3*r.Float64())
			}
		}
		report, err := judged(t, Rule{Lines: 12}, texts[:]...)
		require.NoError(t, err)
		alarms += min(1, report.Count(Slower, Faster, More, Less, Fail))
		chance += report.chance()
	}
	assert.InDelta(t, 0.003*runs, chance, 1e-6)
	assert.LessOrEqual(t, float64(alarms), chance+3*3, "comparisons with a false alarm, of %d", runs)
}

// A change of the size that the table says is found in about 4 of 5 comparisons,
// whether the noise or the smallest change that counts decides. With 20 pairs it
// is 0.84 where the smallest change decides, and 0.75 where noise does, since the
// interval and A/A of the other comparison may be wider.
func TestFinds(t *testing.T) {
	const runs = 1000
	for _, noise := range []float64{0.0005, 0.005, 0.05} {
		r, found := rand.New(rand.NewPCG(4, 4)), 0
		turn := func(figure float64) float64 { return figure * (1 + noise*r.NormFloat64()) }
		compare := func(change float64) Row { return judgedRow(Rule{Lines: 20}, turn, 1e9, 1e9, 1e9*(1+change)) }
		for range runs {
			row := compare(0)
			if compare(row.Change.Finds(row.Least, row.Scale)).Status == Slower {
				found++
			}
		}
		assert.InDelta(t, 0.8, float64(found)/runs, 0.07, "with a noise of %g", noise)
	}
}

func TestSentenceNamesThree(t *testing.T) {
	r := &Report{}
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		b := Benchmark{Rows: []Row{{Unit: "errors", Status: Fail, Why: "up to 3 calls of a line failed"}}}
		b.Name.Base, b.Name.Full = name, "Benchmark"+name
		r.Benchmarks = append(r.Benchmarks, b)
	}
	assert.Equal(t, "5 of 5 benchmarks fail: A (errors up to 3 calls of a line failed), B (errors up to 3 calls of a line failed), C (errors up to 3 calls of a line failed) and 2 more.", r.Sentence())
	r.Benchmarks = slices.Clone(r.Benchmarks[:1])
	assert.Equal(t, "1 of 1 benchmark fails: A (errors up to 3 calls of a line failed).", r.Sentence())
}

func TestNothingButNewBenchmarks(t *testing.T) {
	b := Benchmark{Rows: []Row{{Unit: "benchmark", Status: New, Why: "not in base"}}}
	b.Name.Base = "A"
	assert.Equal(t, "Nothing was compared; 1 is new: A; nothing fails.", (&Report{Benchmarks: []Benchmark{b}}).Sentence())
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ about, names, want string }{
		{"one benchmark is called as it is, and its keys are said once", "E/size=1KiB", "E: size=1KiB"},
		{"what all have in common is said once", "E/f=grpc/size=1KiB E/f=tcp/size=1KiB", "grpc tcp: E size=1KiB"},
		{"a number has its key", "E/f=grpc/conc=1 E/f=tcp/conc=10", "grpc/conc=1 tcp/conc=10: E"},
		{"benchmarks of several functions have theirs", "Echo/f=grpc Message/f=grpc", "Echo Message: f=grpc"},
		{"one may have a key more", "E/f=grpc E/f=grpc/with=tls13", "E tls13: E f=grpc"},
		{"names without keys, and an empty value", "E/large E/x=", "large x=: E"},
		{"the same with two numbers of procs is told apart", "E/f=grpc-1 E/f=grpc-2", "BenchmarkE/f=grpc-1 BenchmarkE/f=grpc-2: E f=grpc"},
	} {
		var text string
		for _, name := range strings.Fields(c.names) {
			text += "Benchmark" + name + " 1 5 ns/op\n"
		}
		report, err := judged(t, Rule{Lines: 1}, text, text, text)
		require.NoError(t, err)
		short, common := report.names()
		assert.Equal(t, c.want, strings.Join(short, " ")+common, c.about)
	}
}

func TestSentenceNamesTheSurestRow(t *testing.T) {
	b := Benchmark{Rows: []Row{
		{Unit: "p50-ns", Status: Slower, Change: pairs.Change{Pairs: 60, Value: 0.6, Low: 0.22, High: 1.25}},
		{Unit: "server-cpu-ns/op", Status: Slower, Change: pairs.Change{Pairs: 60, Value: 0.35, Low: 0.24, High: 0.48}},
		{Unit: "client-cpu-ns/op", Status: Faster, Change: pairs.Change{Pairs: 60, Value: -0.1, Low: -0.15, High: -0.05}},
	}}
	b.Name.Base = "A"
	r := &Report{Benchmarks: []Benchmark{b}}
	assert.Equal(t, "1 of 1 benchmark is slower, 99.9 % sure: A (server-cpu-ns/op +35.0%, +24.0..+48.0); 1 is faster, 99.9 % sure: A (client-cpu-ns/op -10.0%, -15.0..-5.0); nothing fails.", r.Sentence())
}

func TestSettingsThatDiffer(t *testing.T) {
	with := func(settings string) string { return header + settings + "BenchmarkA 1 5 ns/op\n" }
	old, usual, other := with(""), with("gogc: 100\npin-cores: 1 core each\n"), with("gogc: 50\n")
	for _, c := range []struct {
		about             string
		mixed             bool
		base, again, head string
		say, sentence     string
	}{
		{"the same", false, usual, usual, usual, "", "No change that this run could see in 1 benchmark; 1 of 1 rows cannot tell; nothing fails."},
		{"a file from before there was such a line", false, old, old, usual, "", "No change that this run could see in 1 benchmark; 1 of 1 rows cannot tell; nothing fails."},
		{"others are refused", false, usual, usual, other, `head.txt:7: measured with gogc "50", but base.txt:8 with "100": results of different settings are compared with -mixed only`, ""},
		{"another kernel is told, and compared", false, with("kernel: 6.1\nmemory: 24 GiB\n"), old, with("kernel: 6.2\nmemory: 24 GiB\n"), "", "No change that this run could see in 1 benchmark; kernel is 6.1 and 6.2; 1 of 1 rows cannot tell; nothing fails."},
		{"unless it is asked for", true, usual, usual, other, "", "No change that this run could see in 1 benchmark; gogc is 100 and 50; 1 of 1 rows cannot tell; nothing fails."},
	} {
		report, err := judged(t, Rule{Lines: 1, Mixed: c.mixed}, c.base, c.again, c.head)
		if c.say != "" {
			assert.EqualError(t, err, c.say, c.about)
			continue
		}
		require.NoError(t, err, c.about)
		assert.Equal(t, c.sentence, report.Sentence(), c.about)
	}
}

// Ten times as many benchmarks, turns and units take ten times as long.
func TestCostOfJudging(t *testing.T) {
	const turns = 10
	for _, c := range []struct {
		about string
		n     int
		text  func(n int) string
	}{
		{"benchmarks", 20, func(n int) string {
			var b strings.Builder
			for i := range n {
				b.WriteString(bench(fmt.Sprintf("A/case=%d", i), turns, 1, 0.02, 1, ""))
			}
			return b.String()
		}},
		{"units", 20, func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, " %d u%d/op", i, i)
			}
			return bench("A", turns, 1, 0.02, 1, b.String())
		}},
	} {
		scales.Linear(t, c.n, func(n int) {
			text := header + c.text(n)
			r, err := judged(t, Rule{Lines: turns}, text, text, text)
			require.NoError(t, err, c.about)
			assert.NotEmpty(t, r.Text("base", "head"), c.about)
		})
	}
}
