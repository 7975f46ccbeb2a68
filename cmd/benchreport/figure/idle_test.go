package figure

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

// besides is the line of silent connections, of which no two figures have the same digits.
func besides(name string, conns, factor float64) lines.Line {
	l := line("Idle/framework="+name, map[string]float64{
		"conns": conns, "accepts/s": 2100.6, "calls/s": 999, "p99-ns": 2.5e6, "alone-p99-ns": 1.5e6,
		"server-heap-B/conn": 4096 * factor, "server-rss-B/conn": 5120 * factor, "server-goroutines/conn": 1.0004, "server-idle-cpu-ns/conn-s": 17.4,
		"client-heap-B/conn": 6144 * factor, "client-rss-B/conn": 7168 * factor, "client-goroutines/conn": 2.001, "client-idle-cpu-ns/conn-s": 0,
	})
	l.Calls, l.Config = 1, map[string]string{"rank": "tcp=reference", "cpu": "A", "date": "2026-11-23"}
	return l
}

func TestIdle(t *testing.T) {
	held := []string{
		"server heap KiB", "server RSS KiB", "server goroutines", "server CPU ns/s",
		"client heap KiB", "client RSS KiB", "client goroutines", "client CPU ns/s", "opened/s", "p99 ms alone", "p99 ms among",
	}
	untold := besides("a/codec=gob/idle=9", 9, 1)
	for _, unit := range []string{"server-heap-B/conn", "server-rss-B/conn", "server-goroutines/conn", "server-idle-cpu-ns/conn-s", "p99-ns", "alone-p99-ns"} {
		delete(untold.Values, unit)
	}
	called := besides("a/idle=9/active=1000", 9, 1)
	called.Values["client-cpu-ns/op"], called.Values["server-cpu-ns/op"] = 45.6e3, 78.9e3
	for _, c := range []struct {
		about  string
		list   []lines.Line
		titles []string
		head   []string
		rows   [][]string // of the first table
	}{
		{
			"the least first, and references last",
			[]lines.Line{besides("tcp/idle=9", 9, 1), besides("large/idle=9", 9, 4), besides("small/idle=9", 9, 3)},
			[]string{"Idle, 9 connections"},
			append([]string{"framework"}, held...),
			[][]string{
				{"small", "12", "15", "1", "17", "18", "21", "2", "0", "2101", "1.50", "2.50"},
				{"large", "16", "20", "1", "17", "24", "28", "2", "0", "2101", "1.50", "2.50"},
				{"tcp", "4", "5", "1", "17", "6", "7", "2", "0", "2101", "1.50", "2.50"},
			},
		},
		{
			"of rounds the median, and how far memory is from it; each number has a table",
			[]lines.Line{besides("a/idle=9", 9, 2), besides("a/idle=9", 9, 2.2), besides("a/idle=9", 9, 2), besides("a/idle=10", 10, 1)},
			[]string{"Idle, 9 connections", "Idle, 10 connections"},
			append([]string{"framework"}, held...),
			[][]string{{"a", "8 ±10 %", "10 ±10 %", "1", "17", "12 ±10 %", "14 ±10 %", "2", "0", "2101", "1.50", "2.50"}},
		},
		{
			"fewer connections than were asked for",
			[]lines.Line{besides("a/idle=9", 8, 1)},
			[]string{"Idle, 9 connections"},
			append([]string{"framework", "connections"}, held...),
			[][]string{{"a", "8", "4", "5", "1", "17", "6", "7", "2", "0", "2101", "1.50", "2.50"}},
		},
		{
			"a server that does not tell, and too few calls",
			[]lines.Line{untold},
			[]string{"Idle, 9 connections"},
			append([]string{"framework"}, held...),
			[][]string{{"a", "–", "–", "–", "–", "6", "7", "2", "0", "2101", "–", "–"}},
		},
		{
			"what calls cost, and another number of callers",
			[]lines.Line{called},
			[]string{"Idle, 9 connections, 1000 callers"},
			append([]string{"framework"}, append(held, "client CPU µs", "server CPU µs")...),
			[][]string{{"a", "4", "5", "1", "17", "6", "7", "2", "0", "2101", "1.50", "2.50", "45.6", "78.9"}},
		},
	} {
		r := report(c.list...)
		var titles []string
		for _, table := range r.Besides {
			titles = append(titles, table.Title)
		}
		if !assert.Equal(t, c.titles, titles, c.about) {
			continue
		}
		first := r.Besides[0]
		assert.Equal(t, c.head, first.Head, c.about)
		assert.Equal(t, c.rows, first.Rows, c.about)
		assert.Equal(t, []fact.Fact{{Key: "date", Value: "2026-11-23"}, {Key: "cpu", Value: "A"}}, first.Measured, c.about)
		assert.Empty(t, r.Tables, "they are no panel of calls")
		assert.Empty(t, r.Sections, c.about)
	}
}
