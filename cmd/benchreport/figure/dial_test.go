package figure

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dialing is a line of one run, which makes as many clients as it likes.
func dialing(name string, units map[string]float64) lines.Line {
	l := line("Dial/framework="+name, units)
	l.Calls, l.Config = 1, map[string]string{"rank": "tcp=reference", "date": "2026-11-23"}
	return l
}

// first is a new client's first call, of which no two figures have the same digits.
func first(name string, factor float64) lines.Line {
	return dialing(name, map[string]float64{
		"calls/s": 1435, "p50-ns": 2e5 * factor, "p99-ns": 4.1e6 * factor, "max-ns": 4.8e7,
		"dial-ns": 1.2e5 * factor, "first-call-ns": 1.3e5, "client-cpu-ns/op": 4e5, "server-cpu-ns/op": 2.8e5,
	})
}

// restarted is the way back of a client.
func restarted(name string, factor float64) lines.Line {
	return dialing(name, map[string]float64{"reconnects": 10, "reconnect-ns": 5e8 * factor, "max-ns": 5.3e8, "failed-calls": 416, "errors": 0})
}

func TestDials(t *testing.T) {
	never := dialing("b/down=500ms", map[string]float64{"reconnects": 0})
	for _, c := range []struct {
		about, title string
		list         []lines.Line
		head         []string
		rows         [][]string
	}{
		{
			"first calls, the fastest first and references last", "Dial, new clients",
			[]lines.Line{first("tcp/down=none", .1), first("a/down=none", 2), first("b/down=none", 1)},
			[]string{"framework", "new client p50 ms", "p99 ms", "dial ms", "first call ms", "client CPU µs", "server CPU µs"},
			[][]string{{"b", "0.200", "4.10", "0.120", "0.130", "400", "280"}, {"a", "0.400", "8.20", "0.240", "0.130", "400", "280"}, {"tcp", "0.020", "0.410", "0.012", "0.130", "400", "280"}},
		},
		{
			"the ways back, in all rounds", "Dial, a server that was down for 500ms",
			[]lines.Line{restarted("a/down=500ms", 1.1), restarted("a/down=500ms", .9)},
			[]string{"framework", "reconnect ms", "slowest ms", "failed calls", "reconnects"},
			[][]string{{"a", "500 ±10 %", "530 ±0 %", "416 ±0 %", "10 ±0 %"}},
		},
		{
			"a client that never came back", "Dial, a server that was down for 500ms",
			[]lines.Line{never},
			[]string{"framework", "reconnect ms", "slowest ms", "failed calls", "reconnects"},
			[][]string{{"b", "–", "–", "–", "0"}},
		},
	} {
		r := report(c.list...)
		require.Len(t, r.Besides, 1, c.about)
		got := r.Besides[0]
		assert.Equal(t, c.title, got.Title, c.about)
		assert.Equal(t, c.head, got.Head, c.about)
		assert.Equal(t, c.rows, got.Rows, c.about)
		assert.NotEmpty(t, got.Note, c.about)
		assert.NotEmpty(t, got.Measured, c.about)
		assert.Empty(t, r.Sections, c.about)
		assert.Empty(t, r.Tables, c.about)
	}
}
