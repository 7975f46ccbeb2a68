package figure

import (
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

// program is the line of one start, of which no two figures have the same digits.
func program(name string, factor float64) lines.Line {
	l := line("Footprint/framework="+name, map[string]float64{
		"binary-B": 2e6 * factor, "modules": 7, "listen-ns": 3.1e6 * factor, "first-reply-ns": 4.3e6 * factor, "server-rss-B": 5e6 * factor, "server-goroutines": 11,
	})
	l.Calls, l.Config = 1, map[string]string{"rank": "tcp=reference ours=ours", "cpu": "A", "date": "2026-11-23"}
	return l
}

func TestFootprints(t *testing.T) {
	head := []string{"framework", "binary MB", "added MB", "modules", "listens ms", "first reply ms", "RSS MB", "added RSS MB", "goroutines"}
	unread := program("a/codec=gob", 2)
	delete(unread.Values, "server-rss-B")
	for _, c := range []struct {
		about  string
		list   []lines.Line
		head   []string
		rows   [][]string
		starts string
	}{
		{
			"the smallest first, the references last, and what is added to the first of them",
			[]lines.Line{program("tcp/transport=conn", 1), program("tcp/transport=mux", 1), program("ours/codec=a", 2), program("large/codec=a", 4), program("small/codec=a", 3)},
			head,
			[][]string{
				{"small", "6", "4", "7", "9.30", "12.9", "15", "10", "11"},
				{"large", "8", "6", "7", "12.4", "17.2", "20", "15", "11"},
				{"ours (ours)", "4", "2", "7", "6.20", "8.60", "10", "5", "11"},
				{"tcp conn", "2", "–", "7", "3.10", "4.30", "5", "–", "11"},
				{"tcp mux", "2", "–", "7", "3.10", "4.30", "5", "–", "11"},
			},
			"",
		},
		{
			"of several starts the median, and of times how far half of them are from it",
			[]lines.Line{program("a", 2), program("a", 1), program("a", 40), program("tcp", 1)},
			head,
			[][]string{{"a", "4", "2", "7", "6.20 ±50 %", "8.60 ±50 %", "10", "5", "11"}, {"tcp", "2", "–", "7", "3.10", "4.30", "5", "–", "11"}},
			" Medians of 3 starts; half of the starts are as near to the median as ± says.",
		},
		{
			"without a reference nothing is added",
			[]lines.Line{program("a", 1)},
			[]string{"framework", "binary MB", "modules", "listens ms", "first reply ms", "RSS MB", "goroutines"},
			[][]string{{"a", "2", "7", "3.10", "4.30", "5", "11"}},
			"",
		},
		{
			"a system that does not tell the memory",
			[]lines.Line{unread},
			[]string{"framework", "binary MB", "modules", "listens ms", "first reply ms", "goroutines"},
			[][]string{{"a", "4", "7", "6.20", "8.60", "11"}},
			"",
		},
	} {
		r := report(c.list...)
		if assert.Len(t, r.Besides, 1, c.about) {
			_, starts, _ := strings.Cut(r.Besides[0].Note, " first row of raw TCP.")
			assert.Equal(t, c.starts, starts, c.about)
			r.Besides[0].Note = ""
			assert.Equal(t, table.Table{Title: "Footprint", Text: 1, Head: c.head, Rows: c.rows, Measured: []fact.Fact{{Key: "date", Value: "2026-11-23"}, {Key: "cpu", Value: "A"}}}, r.Besides[0], c.about)
		}
		assert.NotContains(t, r.Absent, Absent{"Footprint", "no lines of BenchmarkFootprint: run make footprint and give its text as well"}, c.about)
	}
}

// What was measured on another day does not make two days of the calls.
func TestFootprintsHaveTheirOwnDate(t *testing.T) {
	of := func(l lines.Line, date string) lines.Line {
		l.Config = map[string]string{"date": date}
		return l
	}
	r := report(of(calls("Echo/framework=a/conc=1", 9), "2026-11-21"), of(program("a", 1), "2026-11-23"), of(calls("Echo/framework=b/conc=1", 9), "2026-11-22"))
	assert.Equal(t, []fact.Fact{{Key: "date", Value: "2026-11-21 and 2026-11-22"}}, r.Measured)
	assert.Equal(t, []fact.Fact{{Key: "date", Value: "2026-11-23"}}, r.Besides[0].Measured)
	alone := report(of(program("a", 1), "2026-11-23"))
	assert.Equal(t, []fact.Fact{{Key: "date", Value: "2026-11-23"}}, alone.Measured)
}
