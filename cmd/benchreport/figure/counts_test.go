package figure

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

// counting is a line of which no two figures have the same digits.
func counting(name string, factor float64) lines.Line {
	l := line(name, map[string]float64{
		"request-wire-B/op": 1110 * factor, "reply-wire-B/op": 1116 * factor, "segs/op": 2, "client-syscalls/op": 3.5, "server-syscalls/op": 4,
		"client-allocs/op": 87, "server-allocs/op": 57, "client-B/op": 6056, "server-B/op": 4672,
	})
	l.Config = map[string]string{"rank": "tcp=reference", "date": "2026-11-23"}
	return l
}

func TestCounts(t *testing.T) {
	unread := counting("Count/framework=b/size=1KiB", 1)
	for unit := range unread.Values {
		if unit != "client-allocs/op" {
			delete(unread.Values, unit)
		}
	}
	for _, c := range []struct {
		about, title string
		list         []lines.Line
		head         []string
		rows         [][]string
	}{
		{
			"counts of a call, the reference last", "Count, 1KiB",
			[]lines.Line{counting("Count/framework=tcp/size=1KiB", 1), counting("Count/framework=a/size=1KiB", 2)},
			[]string{"framework", "request B", "reply B", "segments", "client system calls", "server system calls", "client allocations", "server allocations", "client B", "server B"},
			[][]string{{"a", "2220", "2232", "2", "3.50", "4", "87", "57", "6056", "4672"}, {"tcp", "1110", "1116", "2", "3.50", "4", "87", "57", "6056", "4672"}},
		},
		{
			"what the system did not give is left out", "Count, 1KiB",
			[]lines.Line{unread},
			[]string{"framework", "client allocations"},
			[][]string{{"b", "87"}},
		},
	} {
		r := report(c.list...)
		if assert.Len(t, r.Besides, 1, c.about) {
			got := r.Besides[0]
			assert.Equal(t, c.title, got.Title, c.about)
			assert.Equal(t, c.head, got.Head, c.about)
			assert.Equal(t, c.rows, got.Rows, c.about)
			assert.NotEmpty(t, got.Note, c.about)
		}
		assert.Empty(t, r.Tables, c.about)
	}
}
