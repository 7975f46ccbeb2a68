package figure

import (
	"regexp"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

// transfer is a line of which the rate is in MB/s; one without a rate is too small for it
// and took 7 µs.
func transfer(name string, rate float64) lines.Line {
	l := line("Bulk/framework="+name, map[string]float64{"calls/s": 3, "p50-ns": 7e3})
	l.Calls, l.Config = 1000, map[string]string{"rank": "tcp=reference"}
	if rate > 0 {
		l.Values["MB/s"] = rate
	}
	return l
}

// TestTransfersByWhatTheyDifferIn: each table has a row for a framework in a mode.
func TestTransfersByWhatTheyDifferIn(t *testing.T) {
	for _, c := range []struct {
		about string
		lines []lines.Line
		want  [][]string // the title, the head and the rows of the first table
	}{
		{
			"sizes from the smallest, which have a time where they have no rate, and references last",
			[]lines.Line{
				transfer("tcp/mode=bytes/size=1MiB/parallel=1/net=delay-5ms", 900), transfer("a/mode=bytes/size=1MiB/parallel=1/net=delay-5ms", 200),
				transfer("a/mode=bytes/size=256B/parallel=1/net=delay-5ms", 0), transfer("b/mode=stream/size=1MiB/parallel=1/net=delay-5ms", 50),
				transfer("a/mode=stream/size=1MiB/parallel=1/net=delay-5ms", 70), transfer("a/mode=stream/size=256B/parallel=1/net=delay-5ms", 0),
				transfer("b/mode=stream/size=256B/parallel=1/net=delay-5ms", 0),
			},
			[][]string{
				{"By size: Bulk, 1 at once, net delay-5ms"},
				{"framework", "mode", "256B µs", "1MiB MB/s"},
				{"a", "bytes", "7", "200"},
				{"a", "stream", "7", "70"},
				{"b", "stream", "7", "50"},
				{"tcp", "bytes", "–", "900"},
			},
		},
		{
			"rounds have a median and how far they are from it",
			[]lines.Line{
				transfer("a/mode=bytes/size=1MiB/parallel=1", 90), transfer("a/mode=bytes/size=4MiB/parallel=1", 200),
				transfer("a/mode=bytes/size=1MiB/parallel=1", 110),
			},
			[][]string{
				{"By size: Bulk, 1 at once"},
				{"framework", "mode", "1MiB MB/s", "4MiB MB/s"},
				{"a", "bytes", "100 ±10 %", "200"},
			},
		},
		{
			"networks in the order of the lines, and what one lacks",
			[]lines.Line{
				transfer("a/mode=bytes/size=1MiB/parallel=1/net=none", 200), transfer("a/mode=bytes/size=1MiB/parallel=1/net=delay-5ms", 100),
				transfer("tcp/mode=bytes/size=1MiB/parallel=1/net=none", 900), transfer("b/mode=bytes/size=1MiB/parallel=1/net=delay-5ms", 50),
			},
			[][]string{
				{"By network: Bulk, 1MiB, 1 at once"},
				{"framework", "mode", "none MB/s", "delay-5ms MB/s"},
				{"a", "bytes", "200", "100"},
				{"b", "bytes", "–", "50"},
				{"tcp", "bytes", "900", "–"},
			},
		},
		{
			"windows, the framework's own first",
			[]lines.Line{
				transfer("a/mode=bytes/size=1MiB/parallel=1/net=delay-5ms", 90), transfer("a/mode=bytes/size=1MiB/parallel=1/net=delay-5ms/window=64KiB", 6),
				transfer("a/mode=bytes/size=1MiB/parallel=1/net=delay-5ms/window=4MiB", 95),
			},
			[][]string{
				{"By receive window: Bulk, 1MiB, 1 at once, net delay-5ms"},
				{"framework", "mode", "default MB/s", "64KiB MB/s", "4MiB MB/s"},
				{"a", "bytes", "90", "6", "95"},
			},
		},
		{
			"messages of a stream, which have 64 KiB where a line does not say",
			[]lines.Line{
				transfer("a/mode=stream/size=1MiB/parallel=1/window=4MiB", 95), transfer("a/mode=stream/size=1MiB/parallel=1/window=4MiB/chunk=8KiB", 90),
				transfer("a/mode=stream/size=1MiB/parallel=1/window=4MiB/chunk=1MiB", 99),
			},
			[][]string{
				{"By size of a stream's messages: Bulk, 1MiB, 1 at once"},
				{"framework", "mode", "8KiB MB/s", "64KiB MB/s", "1MiB MB/s"},
				{"a", "stream", "90", "95", "99"},
			},
		},
		{
			"transfers at once, in % of one at a time, whatever the order of the lines",
			[]lines.Line{
				transfer("a/mode=bytes/size=1MiB/parallel=4", 500), transfer("a/mode=bytes/size=1MiB/parallel=1", 200),
				transfer("a/mode=bytes/size=1MiB/parallel=2", 300),
			},
			[][]string{
				{"By transfers at once, and in % of the first column: Bulk, 1MiB"},
				{"framework", "mode", "1 MB/s", "2 MB/s", "4 MB/s"},
				{"a", "bytes", "200", "300 (150 %)", "500 (250 %)"},
			},
		},
	} {
		got := report(c.lines...).Tables[0]
		assert.Equal(t, c.want, append([][]string{{got.Title}, got.Head}, got.Rows...), c.about)
	}
}

// TestOneOfAllHasNoTableOfItsOwn, but that of its panel.
func TestOneOfAllHasNoTableOfItsOwn(t *testing.T) {
	list := report(transfer("a/mode=bytes/size=1MiB/parallel=1/net=none", 200), transfer("b/mode=bytes/size=1MiB/parallel=1/net=none", 300)).Tables
	assert.Len(t, list, 1)
	assert.Equal(t, "Bulk, bytes, 1 at once, 1MiB", list[0].Title)
}

// further are the heads of such columns.
var further = regexp.MustCompile(`^(small|large|network) |window`)

// TestFurtherColumns are in tables of lines that have them.
func TestFurtherColumns(t *testing.T) {
	over := values("Bulk/framework=a/mode=bytes/size=1MiB/parallel=1/net=delay-5ms", "net-cpu-ns/op", 9100, "net-busy-%", 31., "net-lost-%", 2., "client-window-B", 65536., "server-window-B", 131072.)
	mix := values("Mix/framework=a/mix=1KiB-99_1MiB-1/rate=10", "small-p50-ns", 1.1e6, "small-p99-ns", 2.2e6, "large-p50-ns", 3.3e6, "large-p99-ns", 4.4e6)
	for _, c := range []struct {
		about string
		line  lines.Line
		want  map[string]string
	}{
		{"a network between", over, map[string]string{"network CPU µs": "9.10", "network busy %": "31", "network lost %": "2", "client window KiB": "64", "server window KiB": "128"}},
		{"small calls and large ones", mix, map[string]string{"small p50 ms": "1.10", "small p99 ms": "2.20", "large p50 ms": "3.30", "large p99 ms": "4.40"}},
		{"neither", calls("Echo/framework=a/conc=1", 5), map[string]string{}},
	} {
		table := report(c.line).Tables[0]
		got := map[string]string{}
		for i, head := range table.Head {
			if further.MatchString(head) {
				got[head] = table.Rows[0][i]
			}
		}
		assert.Equal(t, c.want, got, c.about)
	}
}
