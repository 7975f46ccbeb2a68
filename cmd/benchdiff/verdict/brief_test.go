package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// many are 50 benchmarks of which some have another time or number of allocations, by their numbers.
func many(seed uint64, times, allocs map[int]float64) string {
	text := header
	for i := range 50 {
		factor, n := 1.0, 8.0
		if f, there := times[i]; there {
			factor = f
		}
		if a, there := allocs[i]; there {
			n = a
		}
		text += bench(fmt.Sprintf("Echo/framework=f%d/size=1KiB", i), 20, factor, 0.02, seed, fmt.Sprintf("%g allocs/op", n))
	}
	return text
}

// every has a value for each of the benchmarks of many.
func every(value float64) map[int]float64 {
	m := map[int]float64{}
	for i := range 50 {
		m[i] = value
	}
	return m
}

func TestBrief(t *testing.T) {
	none := map[int]float64{}
	for _, c := range []struct {
		about         string
		rule          Rule
		times, allocs map[int]float64
		want          string
	}{
		{"without a change there is no table", Rule{}, none, none, `
No difference of 5 % or more in 50 benchmarks; nothing fails.

head against origin/main, 20 pairs: Echo size=1KiB
Noise: base and base again differ by 0.1 % (median) and 0.1 % (most) in 100 timings.
Such a run finds changes of 2.5 % (median) and 2.5 % (most).
`},
		{"a table that is long has what changed alone", Rule{}, map[int]float64{3: 1.1}, map[int]float64{7: 7}, `
1 of 50 benchmarks is slower, 99.9 % sure: f3 (p50-ns +10.0%, +7.8..+12.1); 1 needs less, 99.9 % sure: f7 (allocs/op -12.5%); nothing fails.

head against origin/main, 20 pairs: Echo size=1KiB

                base  change      interval   A/A  finds  verdict
f3
  calls/s       1000   -9.1%   -10.8..-7.2  -0.1    2.5  slower
  p50-ns     1.000ms  +10.0%   +7.8..+12.1  +0.1    2.5  slower
f7
  allocs/op        8  -12.5%  -12.5..-12.5   0.0    6.2  less

interval: of the true change, 99.9 % sure; A/A: base against itself;
finds: the change that 4 of 5 such runs would find
Noise: base and base again differ by 0.1 % (median) and 0.1 % (most) in 100 timings.
Such a run finds changes of 2.5 % (median) and 2.5 % (most).
`},
	} {
		c.rule.Lines = 20
		report, err := judged(t, c.rule, many(1, none, none), many(2, none, none), many(3, c.times, c.allocs))
		require.NoError(t, err)
		assert.Equal(t, strings.TrimPrefix(c.want, "\n"), report.Brief("origin/main", "head"), c.about)
	}
}

// However much changed, the text has 60 lines at most with what is printed below it, and the worst is in it.
func TestBriefIsShort(t *testing.T) {
	none := map[int]float64{}
	times := every(0.8)
	times[49] = 1.2
	report, err := judged(t, Rule{Lines: 20, Dedicated: true}, many(1, none, none), many(2, none, none), many(3, times, every(7)))
	require.NoError(t, err)
	brief := report.Brief("origin/main", "head")
	assert.LessOrEqual(t, strings.Count(brief, "\n"), 59)
	assert.Contains(t, brief, "verdict\nf49\n  p50-ns ")
	assert.Contains(t, brief, "\n130 more rows have changed.\n")
	assert.Contains(t, report.Markdown("origin/main", "head"), "\n130 more rows have changed.\n")
}

func TestMarkdown(t *testing.T) {
	none := map[int]float64{}
	report, err := judged(t, Rule{Lines: 20}, many(1, none, none), many(2, none, none), many(3, map[int]float64{3: 1.1}, none)+"BenchmarkEcho/framework=a_b/size=1KiB 1 5 ns/op\n")
	require.NoError(t, err)
	report.Remark = "A run failed. "
	shown, folded, found := strings.Cut(report.Markdown("HEAD^1", "head"), "<details>")
	require.True(t, found)
	assert.Equal(t, `**A run failed. 1 of 51 benchmarks fails: a\_b (lines 1 in head.txt, 20 expected); 1 is slower, 99.9 % sure: f3 (p50-ns +10.0%, +7.8..+12.1); 1 is new: a\_b.**

head against HEAD^1, 20 pairs: Echo size=1KiB

| benchmark | figure | base | change | interval | A/A | verdict |
|:--|:--|--:|--:|--:|--:|:--|
| f3 | calls/s | 1000 | -9.1% | -10.8..-7.2 | -0.1 | slower |
| f3 | p50-ns | 1.000ms | +10.0% | +7.8..+12.1 | +0.1 | slower |
| a\_b | benchmark |  |  |  |  | new: not in base |
| a\_b | lines |  |  |  |  | FAIL: 1 in head.txt, 20 expected |

Noise: base and base again differ by 0.1 % (median) and 0.1 % (most) in 100 timings.
Such a run finds changes of 2.5 % (median) and 2.5 % (most).

`, shown)
	assert.True(t, strings.HasPrefix(folded, "<summary>All rows, and how to read them</summary>\n\n    A run failed. "))
	for line := range strings.Lines(strings.TrimSuffix(folded, "</details>\n")[50:]) {
		assert.True(t, line == "\n" || strings.HasPrefix(line, "    "), "what a name may be is in code: %q", line)
	}
	assert.Contains(t, folded, "\n    f49\n      calls/s ")
}

// What a benchmark is called is neither a table's cell nor HTML.
func TestMarkdownOfForeignText(t *testing.T) {
	text := func(ns int) string {
		return header + strings.Repeat(fmt.Sprintf("BenchmarkA/<b>|```|@me 1 %d ns/op\n", ns), 20)
	}
	report, err := judged(t, Rule{Lines: 20}, text(5), text(5), text(6))
	require.NoError(t, err)
	shown, _, _ := strings.Cut(report.Markdown("a|b", "head\n# x"), "<details>")
	assert.NotContains(t, shown, "<b>")
	assert.NotContains(t, shown, "|`")
	assert.NotContains(t, shown, "a|b")
	assert.NotContains(t, shown, "\n#")
}
