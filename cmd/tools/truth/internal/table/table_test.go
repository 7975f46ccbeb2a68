package table

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/record"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const msec = time.Millisecond

// theTruth is of a server that freezes.
var theTruth = planted.Percentiles{P50: 5500 * time.Microsecond, P95: 110 * msec, P99: 190 * msec, Max: 1205 * msec}

// run is a run of a mode that is right in all.
func run(kind planted.Kind, p tool.Protocol, name, mode string, number int) record.Record {
	return record.Record{
		Cell: string(kind) + "/" + string(p) + "/" + name + "/" + mode, Kind: kind, Protocol: p, Tool: name, Mode: mode,
		Version: "1.2", Options: "-rate=500 -duration=10s", Rate: 500, Run: number, Seed: 1, Length: 10 * time.Second,
		Machine: "a CPU, 2 cores", Date: time.Date(2026, 1, number, 0, 0, 0, 0, time.UTC),
		Outcome: record.Outcome{
			Said: tool.Said{P50: theTruth.P50, P95: theTruth.P95, P99: theTruth.P99, Max: theTruth.Max, OK: 5000, Dropped: -1},
			CPU:  time.Second, Asked: 5000, Made: 5000, Truth: theTruth,
			Lateness: planted.Percentiles{P50: msec / 10, P99: 12 * msec},
		},
	}
}

// records returns a small table.
func records() []record.Record {
	frozen, plain := planted.Frozen, planted.Plain
	var all []record.Record
	for n := 1; n <= 3; n++ {
		r := run(frozen, tool.HTTP, "vegeta", "default", n)
		r.Said.P99 += time.Duration(n) * msec
		eight := run(frozen, tool.HTTP, "vegeta", "8 workers", n)
		eight.Said.P95, eight.Said.P99, eight.Made = 0, 3*msec, 4600
		closed := run(frozen, tool.HTTP, "ab", "default", n)
		closed.Closed, closed.Truth, closed.Lateness = true, planted.Percentiles{}, planted.Percentiles{}
		random := run(planted.Queue, tool.GRPC, "loadgen", "Poisson", n)
		random.Random, random.Truth.P99 = true, 191*msec
		bare := run(plain, tool.HTTP, "vegeta", "default", n)
		bare.Truth = planted.Percentiles{}
		all = append(all, r, eight, closed, random, run(planted.Queue, tool.GRPC, "ghz", "default", n), bare)
	}
	all = append(all, run(frozen, tool.HTTP, "oha", "default", 1), run(frozen, tool.HTTP, "oha", "default", 2), run(frozen, tool.HTTP, "wrk", "default", 1))
	all[len(all)-2].Error = "oha did not end within 50s and was killed"
	all[len(all)-1].Error = "wrk is not installed"
	wrong := run(planted.Wrong, tool.HTTP, "vegeta", "default", 1)
	wrong.Failed, wrong.Failures, wrong.Said.Failed = 500, 250, 250
	return append(all, wrong)
}

// TestText compares a table with testdata/table.txt.
func TestText(t *testing.T) {
	got := Text(records())
	path := filepath.Join("testdata", "table.txt")
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		about, want string
		change      func(*row)
	}{
		{"all is right", "right", func(*row) {}},
		{"within a tenth", "right", func(r *row) { r.Said.P99 = 208 * msec }},
		{"beyond it", "p99 +20 %", func(r *row) { r.Said.P99 = 228 * msec }},
		{"the one that is off most", "p99 -98 %", func(r *row) { r.Said.P95, r.Said.P99 = 5*msec, 3*msec }},
		{"twenty times the truth", "p50 ×20", func(r *row) { r.Said.P50 = 110 * msec }},
		{"a millisecond is the machine's", "right", func(r *row) { r.Said.P50 += msec }},
		{"the server was late itself", "right", func(r *row) { r.Server.Max, r.Said.Max = 300*msec, 1500*msec }},
		{"and not only the server", "max +24 %", func(r *row) { r.Server.Max, r.Said.Max = 200*msec, 1500*msec }},
		{"percentiles that are not told are not wrong", "right", func(r *row) { r.Said.P95, r.Said.Max = 0, 0 }},
		{"none is told", "no times", func(r *row) { r.Said = tool.Said{OK: 5000} }},
		{"few are lost", "right", func(r *row) { r.lost = 25 }},
		{"more are lost", "lost 8 %", func(r *row) { r.lost = 400 }},
		{"times and calls", "max -50 % +", func(r *row) { r.Said.Max, r.lost = 602*msec, 400 }},
		{"no error is counted", "no errors", func(r *row) { r.Failed = 100 }},
		{"errors are not told", "no errors", func(r *row) { r.Failed, r.Said.Failed = 100, -1 }},
		{"a few errors are no lie", "right", func(r *row) { r.Failed, r.Said.Failed = 2, 10 }},
		{"all errors are", "right", func(r *row) { r.Failed, r.Said.Failed = 100, 98 }},
		{"a status is looked at, and no body", "unread", func(r *row) { r.Failed, r.Failures, r.Said.Failed = 500, 250, 250 }},
		{"calls that fail on a lost connection do not all reach the server", "right", func(r *row) {
			r.Kind, r.Protocol, r.Failed, r.Said.Failed, r.Made = planted.Dropping, tool.GRPC, 300, 360, 4950
		}},
		{"but no more than it has not seen", "errors +14 %", func(r *row) {
			r.Kind, r.Protocol, r.Failed, r.Said.Failed, r.Made = planted.Dropping, tool.GRPC, 300, 400, 4950
		}},
		{"too few", "errors -60 %", func(r *row) { r.Failed, r.Failures, r.Said.Failed = 500, 250, 200 }},
		{"where failures are planted, the longest times are the machine's", "right", func(r *row) { r.Kind, r.Said.P99 = planted.Wrong, 300*msec }},
		{"and the usual ones are the tool's", "p50 +100 %", func(r *row) { r.Kind, r.Said.P50 = planted.Wrong, 11*msec }},
		{"errors of its own", "false errors", func(r *row) { r.Said.Failed = 100 }},
		{"it has no rate", "closed loop", func(r *row) { r.Closed, r.Said.P99 = true, 1 }},
		{"no run went well", "failed", func(r *row) { r.runs = 0 }},
	} {
		r := row{Record: run(planted.Frozen, tool.HTTP, "a", "default", 1), runs: 1}
		c.change(&r)
		assert.Equal(t, c.want, r.verdict(), c.about)
		assert.LessOrEqual(t, len(r.verdict()), verdictWidth, c.about)
	}
}

func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		about string
		cpu   []time.Duration
		want  time.Duration
	}{
		{"one", []time.Duration{5}, 5},
		{"two: the lower one", []time.Duration{7, 5}, 5},
		{"three", []time.Duration{9, 1, 5}, 5},
	} {
		var runs []record.Record
		for _, cpu := range c.cpu {
			runs = append(runs, record.Record{Outcome: record.Outcome{CPU: cpu}})
		}
		assert.Equal(t, c.want, middle(runs, func(o *record.Outcome) time.Duration { return o.CPU }), c.about)
	}
}

func TestWrap(t *testing.T) {
	long := "word word word word word word word word word word word word word word word word word word word word end"
	assert.Equal(t, "short\n", wrap("short", "  "))
	assert.Equal(t, long[:94]+"\n  word"+long[99:]+"\n", wrap(long, "  "))
}
