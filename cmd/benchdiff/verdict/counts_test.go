package verdict

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counting are lines of a benchmark without times, one for each value. Where a text
// has {}, it has the value.
func counting(text string, values ...float64) string {
	s := header
	for _, v := range values {
		s += "BenchmarkCount/framework=a 1 " + strings.ReplaceAll(text, "{}", fmt.Sprint(v)) + "\n"
	}
	return s
}

// five are five lines that are all alike.
func five(text string) string { return counting(text, 1, 1, 1, 1, 1) }

// of are the lines of a machine with a setting.
func of(setting, text string) string {
	return strings.Replace(text, "cpu: fast\n", "cpu: fast\n"+setting+"\n", 1)
}

// narrow makes two spaces of what is between two columns.
var narrow = regexp.MustCompile(` {2,}`)

func TestCounts(t *testing.T) {
	const allocs, calls = "{} allocs/op 0 errors 1 conns", "{} client-syscalls/op 0 errors 1 conns"
	eight := five("8 allocs/op 0 errors 1 conns")
	for _, c := range []struct {
		about             string
		rule              Rule
		base, again, head string
		want              string
	}{
		{"an exact count that stays", Rule{}, eight, eight, eight, `
No count has changed in 1 benchmark; nothing fails.
Count
  exact, as in base  1 of 1 counts
`},
		{"one allocation more of 8", Rule{}, eight, eight, five("9 allocs/op 0 errors 1 conns"), `
1 of 1 benchmark fails: Count (allocs/op +1).
Count
  allocs/op  8  +1  +1..+1  0  0.5  FAIL, more
`},
		{"of 800, too, and a machine need not be dedicated", Rule{}, five("800 allocs/op"), five("800 allocs/op"), five("801 allocs/op"), `
1 of 1 benchmark fails: Count (allocs/op +1).
Count
  allocs/op  800  +1  +1..+1  0  0.5  FAIL, more
`},
		{"less than half of one is none: a call in a thousand allocates", Rule{}, eight, eight, five("8.4 allocs/op 0 errors 1 conns"), `
No count has changed in 1 benchmark; nothing fails.
Count
  allocs/op  8  +0.4  +0.4..+0.4  0  0.5  no difference
`},
		{"one system call more, where reads differ by a few in a hundred", Rule{}, counting(calls, 2, 2.03, 2.01, 2, 2), counting(calls, 2.01, 2.02, 2, 2, 2.05), counting(calls, 3, 3.01, 3.02, 3.06, 3), `
1 of 1 benchmark fails: Count (client-syscalls/op +1.005).
Count
  client-syscalls/op  2..2.05  +1.005  +0.95..+1.06  0.05  0.55  FAIL, more
`},
		{"one more within the spread is not found, and the row says so", Rule{}, counting(calls, 2, 2.9, 2.1, 2.5, 2.2), counting(calls, 2, 2.3, 2.6, 2.7, 2), counting(calls, 3, 3.3, 3.5, 3.6, 3.9), `
No change that this run could see in 1 benchmark; 1 of 1 rows cannot find one more; nothing fails.
Count
  client-syscalls/op  2..2.9  +1.25  +0.1..+1.9  0.9  1.8  cannot find one more
`},
		{"five more are, in the same spread", Rule{}, counting(calls, 2, 2.9, 2.1, 2.5, 2.2), counting(calls, 2, 2.3, 2.6, 2.7, 2), counting(calls, 7, 7.3, 7.5, 7.6, 7.9), `
1 of 1 benchmark fails: Count (client-syscalls/op +5.25).
Count
  client-syscalls/op  2..2.9  +5.25  +4.1..+5.9  0.9  1.8  FAIL, more
`},
		{"one turn of head is as base was", Rule{}, eight, eight, counting(allocs, 9, 9, 8, 9, 9), `
No change that this run could see in 1 benchmark; 1 of 1 rows cannot find one more; nothing fails.
Count
  allocs/op  8  +1  0..+1  0  0.5  cannot find one more
`},
		{"the spread is of base and of base again together", Rule{}, eight, counting(allocs, 9, 9, 9, 9, 9), counting(allocs, 9.5, 9.5, 9.5, 9.5, 9.5), `
No change that this run could see in 1 benchmark; 1 of 1 rows cannot find one more; nothing fails.
Count
  allocs/op  8..9  +1  +0.5..+1.5  1  2  cannot find one more
`},
		{"16 bytes more, where numbers differ in length", Rule{}, counting("{} request-wire-B/op", 1126, 1127, 1126, 1129, 1126), counting("{} request-wire-B/op", 1126, 1126, 1126, 1126, 1128), counting("{} request-wire-B/op", 1142, 1142, 1143, 1142, 1144), `
1 of 1 benchmark fails: Count (request-wire-B/op +16).
Count
  request-wire-B/op  1126..1129  +16  +13..+18  3  6  FAIL, more
`},
		{"one byte and one segment less are better", Rule{}, five("1126 reply-wire-B/op 4 segs/op"), five("1126 reply-wire-B/op 4 segs/op"), five("1125 reply-wire-B/op 3 segs/op"), `
1 of 1 benchmark needs less: Count (reply-wire-B/op -1); nothing fails.
Count
  reply-wire-B/op  1126  -1  -1..-1  0  0.5  less
  segs/op  4  -1  -1..-1  0  0.5  less
`},
		{"with another Go it is reported as that", Rule{}, of("go: go1.26.8", eight), of("go: go1.26.8", eight), of("go: go1.27.0", five("9 allocs/op 0 errors 1 conns")), `
1 of 1 benchmark differs: Count (allocs/op +1 with go1.26.8 → go1.27.0); nothing fails.
Count
  allocs/op  8  +1  +1..+1  0  0.5  other with go1.26.8 → go1.27.0
`},
		{"with another kernel, too", Rule{}, of("kernel: 6.1", five("3 server-syscalls/op")), of("kernel: 6.1", five("3 server-syscalls/op")), of("kernel: 6.12", five("2 server-syscalls/op")), `
1 of 1 benchmark differs: Count (server-syscalls/op -1 with kernel 6.1 → 6.12); kernel is 6.1 and 6.12; nothing fails.
Count
  server-syscalls/op  3  -1  -1..-1  0  0.5  other with kernel 6.1 → 6.12
`},
		{"another Go that counts the same is no news", Rule{}, of("go: go1.26.8", eight), of("go: go1.26.8", eight), of("go: go1.27.0", eight), `
No count has changed in 1 benchmark; nothing fails.
Count
  exact, as in base  1 of 1 counts
`},
		{"what depends on the machine is information", Rule{}, five("4000 B/op 5 client-other-syscalls/op 3 server-switches/op"), five("4000 B/op 5 client-other-syscalls/op 3 server-switches/op"), five("4000 B/op 9 client-other-syscalls/op 9 server-switches/op"), `
Nothing was compared; nothing fails.
Count
  client-other-syscalls/op  5  +4  +4..+4  0  -  not judged
  server-switches/op  3  +6  +6..+6  0  -  not judged
`},
		{"a count that base does not have is not compared", Rule{}, eight, eight, five("8 allocs/op 2 segs/op 0 errors 1 conns"), `
No count has changed in 1 benchmark; nothing fails.
Count
  exact, as in base  1 of 1 counts
`},
		{"one that head has lost fails: both ran here, with the same permissions", Rule{}, five("8 allocs/op 2 segs/op"), five("8 allocs/op 2 segs/op"), five("8 allocs/op"), `
1 of 1 benchmark fails: Count (segs/op lost: head has none).
Count
  segs/op  FAIL: lost: head has none
  exact, as in base  1 of 1 counts
`},
		{"four turns tell no change", Rule{Lines: 4}, counting(allocs, 8, 8, 8, 8), counting(allocs, 8, 8, 8, 8), counting(allocs, 9, 9, 9, 9), `
No change that this run could see in 1 benchmark; 1 of 1 rows cannot tell; nothing fails.
Count
  allocs/op  8  +1  +1..+1  0  0.5  cannot tell
`},
		{"that there is none they do tell, since further turns could not make it fail", Rule{Lines: 5, First: 2}, counting(allocs, 8, 8), counting(allocs, 8, 8), counting(allocs, 9, 8), `
No change that this run could see in 1 benchmark; 1 of 1 rows cannot find one more; nothing fails.
Count
  allocs/op  8  +0.5  0..+1  0  0.5  cannot find one more
`},
		{"of those that ran again a lost turn fails", Rule{Lines: 5, First: 2}, eight, eight, counting(allocs, 8, 8), `
1 of 1 benchmark fails: Count (lines 2 in head.txt, 5 expected).
Count
  lines  FAIL: 2 in head.txt, 5 expected
  exact, as in base  1 of 1 counts
`},
		{"a turn without the count makes them too few", Rule{}, eight, eight, five("9 allocs/op 0 errors 1 conns")[:len(header)] + counting(allocs, 9, 9, 9, 9)[len(header):] + "BenchmarkCount/framework=a 1 2 segs/op 0 errors 1 conns\n", `
No change that this run could see in 1 benchmark; 1 of 1 rows cannot tell; nothing fails.
Count
  allocs/op  8  +1  +1..+1  0  0.5  cannot tell
`},
		{"a failed call and another number of connections fail as ever", Rule{}, eight, eight, five("8 allocs/op 1 errors 2 conns"), `
1 of 1 benchmark fails: Count (errors up to 1 calls of a line failed).
Count
  errors  FAIL: up to 1 calls of a line failed
  conns  FAIL: 2, base has 1 and is exact
  exact, as in base  1 of 1 counts
`},
		{"a count that is said to be exact is judged with half a unit all the same", Rule{}, "Unit segs/op assume=exact\n" + five("2 segs/op"), five("2 segs/op"), five("2.01 segs/op"), `
No count has changed in 1 benchmark; nothing fails.
Count
  segs/op  2  +0.01  +0.01..+0.01  0  0.5  no difference
`},
		{"of lines with times allocations are judged so where it is asked for, and times are not", Rule{Counts: true}, five("100 ns/op 8 allocs/op"), five("100 ns/op 8 allocs/op"), five("200 ns/op 9 allocs/op"), `
1 of 1 benchmark fails: Count (allocs/op +1).
Count
  allocs/op  8  +1  +1..+1  0  0.5  FAIL, more
`},
		{"a benchmark that only head has is new", Rule{}, eight, eight, eight + strings.ReplaceAll(eight[len(header):], "Count", "Other"), `
No count has changed in 1 benchmark; 1 is new: Other; nothing fails.
Count
  exact, as in base  1 of 1 counts
Other
  benchmark  new: not in base
`},
	} {
		t.Run(c.about, func(t *testing.T) {
			if c.rule.Lines == 0 {
				c.rule.Lines = 5
			}
			report, err := judged(t, c.rule, c.base, c.again, c.head)
			require.NoError(t, err)
			assert.Equal(t, strings.TrimPrefix(c.want, "\n"), narrow.ReplaceAllString(shown(report), "  "))
		})
	}
}

func TestTextOfCounts(t *testing.T) {
	text := func(allocs, calls float64) string {
		s := header
		for _, f := range []string{"grpc", "kitex"} {
			for i := range 5 {
				s += fmt.Sprintf("BenchmarkCount/framework=%s/size=1KiB 1 %g client-allocs/op %g client-syscalls/op 30 client-B/op 0 errors\n", f, allocs, calls+float64(i)/100)
			}
		}
		return s
	}
	wire := strings.NewReplacer("0 errors", "1126 request-wire-B/op 0 errors")
	report, err := judged(t, Rule{Lines: 5}, text(12, 2), text(12, 2.1), wire.Replace(text(12, 3)))
	require.NoError(t, err)
	assert.Equal(t, `2 of 2 benchmarks fail: grpc (client-syscalls/op +0.95), kitex (client-syscalls/op +0.95).

head against origin/main, 5 turns: Count size=1KiB

                         base  change      interval   A/A  finds  verdict
grpc
  client-syscalls/op  2..2.14   +0.95  +0.86..+1.04  0.14   0.64  FAIL, more
  exact, as in base   1 of 2 counts
kitex
  client-syscalls/op  2..2.14   +0.95  +0.86..+1.04  0.14   0.64  FAIL, more
  exact, as in base   1 of 2 counts

base      its least and most, where it is not exact
change    of head's median against base's, in the unit itself
interval  of the differences between any turn of head and any of base
A/A       the spread of base: 0 is exact
finds     the change that is always found, while head spreads as base does
FAIL: all turns of head are above all of base, by A/A and half a unit at least
Not exact: client-syscalls/op in 2 of 2 rows.
  What is written in several pieces is read in one or in several, by the timing.
Not compared, since base does not count them:
  request-wire-B/op
Not counted here, for want of a permission or of a counter in the kernel:
  server-allocs/op, reply-wire-B/op, segs/op, server-syscalls/op
As in base: errors.
`, report.Text("origin/main", "head"))
}
