package figure

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// costing is a line of a framework at a rate, of which it achieved a part, with the CPU
// time of both sides in µs.
func costing(framework string, rate int, part, client, server float64) lines.Line {
	return values(fmt.Sprintf("Rate/framework=%s/size=1KiB/rate=%d", framework, rate),
		"calls/s", part*float64(rate), "client-cpu-ns/op", client*1e3, "server-cpu-ns/op", server*1e3)
}

// sleeping are lines of a client that sleeps until calls are due.
func sleeping(list ...lines.Line) []lines.Line {
	for i := range list {
		list[i].Config = map[string]string{"rate-wait": "quiet"}
	}
	return list
}

// rowsOf writes a table as text, with ~ around what is struck out.
func rowsOf(c table.Cost) (list []string) {
	for _, r := range c.Rows {
		row := r.Name
		for _, cell := range r.Cells {
			if cell.Struck {
				cell.Text = "~" + cell.Text + "~"
			}
			row += " | " + cell.Text
		}
		list = append(list, row)
	}
	return list
}

func TestCosts(t *testing.T) {
	for _, c := range []struct {
		about string
		lines []lines.Line
		head  string
		rows  []string
	}{
		{"99 % of a rate are the whole of it", []lines.Line{costing("a", 5000, .99, 20, 10), costing("b", 5000, .989, 10, 5)}, "5000", []string{"a | 30 (20 + 10)", "b | ~15 (10 + 5)~"}},
		{"so is a little more", []lines.Line{costing("a", 5000, 1.02, 20, 10)}, "5000", []string{"a | 30 (20 + 10)"}},
		{"the median of the rounds decides", []lines.Line{
			costing("a", 5000, 1, 10, 1), costing("a", 5000, .5, 90, 9), costing("a", 5000, .992, 20, 2),
			costing("b", 5000, 1, 10, 1), costing("b", 5000, .5, 90, 9), costing("b", 5000, .98, 20, 2),
		}, "5000", []string{"a | 22 (20 + 2)", "b | ~22 (20 + 2)~"}},
		{"of two rounds it is the mean", []lines.Line{costing("a", 5000, 1, 10, 1), costing("a", 5000, .98, 20, 2)}, "5000", []string{"a | 16.5 (15 + 1.50)"}},
		{"a framework without a rate", []lines.Line{costing("a", 5000, 1, 20, 10), costing("a", 900, 1, 50, 30), costing("b", 900, 1, 9, 1)}, "900 5000", []string{"b | 10 (9 + 1) | –", "a | 80 (50 + 30) | 30 (20 + 10)"}},
		{"sorted where most hold, not where all but one fail", []lines.Line{
			costing("a", 1000, 1, 30, 1), costing("b", 1000, 1, 20, 1), costing("c", 1000, 1, 10, 1),
			costing("a", 2000, 1, 10, 1), costing("b", 2000, .5, 1, 1), costing("c", 2000, .5, 5, 1),
		}, "1000 2000", []string{"c | 11 (10 + 1) | ~6 (5 + 1)~", "b | 21 (20 + 1) | ~2 (1 + 1)~", "a | 31 (30 + 1) | 11 (10 + 1)"}},
		{"of two such rates by the higher", []lines.Line{
			costing("a", 1000, 1, 10, 1), costing("b", 1000, 1, 20, 1), costing("a", 20000, 1, 9, 1), costing("b", 20000, 1, 8, 1),
		}, "1000 20000", []string{"b | 21 (20 + 1) | 9 (8 + 1)", "a | 11 (10 + 1) | 10 (9 + 1)"}},
		{"what does not hold comes after what does, and nothing last", []lines.Line{
			costing("c", 1000, 1, 1, 1), costing("a", 2000, 1, 10, 1), costing("b", 2000, .5, 1, 1), costing("d", 2000, 1, 9, 1), costing("b", 1000, .5, 1, 1),
		}, "1000 2000", []string{"d | – | 10 (9 + 1)", "a | – | 11 (10 + 1)", "b | ~2 (1 + 1)~ | ~2 (1 + 1)~", "c | 2 (1 + 1) | –"}},
		{"a server whose CPU time is not known has no row", []lines.Line{
			costing("a", 5000, 1, 20, 10), values("Rate/framework=b/size=1KiB/rate=5000", "calls/s", 5000., "client-cpu-ns/op", 1.),
		}, "5000", []string{"a | 30 (20 + 10)"}},
		{"clients that sleep between calls count alone", append(sleeping(costing("a", 5000, 1, 20, 10)), costing("a", 5000, 1, 200, 10), costing("b", 5000, 1, 200, 10)), "5000", []string{"a | 30 (20 + 10)"}},
	} {
		costs := report(c.lines...).Costs
		if !assert.Len(t, costs, 1, c.about) {
			continue
		}
		assert.Equal(t, strings.Fields(c.head), strings.Fields(strings.ReplaceAll(strings.Join(costs[0].Head[1:], " "), " calls/s", "")), c.about)
		assert.Equal(t, c.rows, rowsOf(costs[0]), c.about)
		assert.Equal(t, strings.Contains(strings.Join(c.rows, ""), "~"), strings.Contains(costs[0].Note, "Struck out"), c.about)
	}
	assert.Empty(t, report(calls("Echo/framework=a/conc=1", 1)).Costs, "no rate was offered")
	assert.Empty(t, report(values("Rate/framework=b/size=1KiB/rate=5000", "calls/s", 5000.)).Costs, "nothing is known of CPU")
}

func TestCostsSayWhatTheClientDoes(t *testing.T) {
	awake, quiet := costing("a", 5000, 1, 200, 10), sleeping(costing("a", 5000, 1, 20, 10))
	assert.Contains(t, report(awake).Costs[0].Note, "The least is first at 5000 calls/s, the rate that most achieved. The client's time also holds the waiting")
	assert.NotContains(t, report(quiet...).Costs[0].Note, "waiting")
	r := report(append(quiet, awake)...)
	assert.NotContains(t, r.Costs[0].Note, "waiting")
	assert.Len(t, r.Tables[0].Rows, 1)
	assert.Equal(t, "5000", r.Tables[0].Rows[0][1], "the table of response times is of the other lines")
	assert.Len(t, report(quiet...).Tables, 1, "if there are any")
}
