package load

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
)

// TestAThousandRanks meet, start together and are added up. On two cores, they have started
// within 1 to 13 ms of each other, and were added up 1 to 4 s after their calls.
//
// Slow: two thousand connections are made, and the start is set five seconds ahead.
func TestAThousandRanks(t *testing.T) {
	ranks := 1000
	if testing.Short() || race.Enabled { // more ranks are no other code
		ranks = 100
	}
	c := newCrowd(t, ranks)
	c.meet(t)
	c.prepare(t)
	before := held()
	l := c.measure(t)
	grown := held() - before
	assert.EqualValues(t, callsOfRank*ranks, l.sum.Result.OK)
	assert.Equal(t, l.sum.Result.OK, l.sum.Result.Response.Count())
	assert.Less(t, l.spread, 100*time.Millisecond, "the starts of all")
	assert.Less(t, l.replied+l.merged, 10*time.Second, "replies and their sum")
	assert.Less(t, grown/int64(ranks), int64(1<<20), "bytes that rank 0 holds of a reply")
	runtime.KeepAlive(l.sum)
}

// held is how many bytes the heap of this process holds.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkRanks reports what each stage of a run costs: to meet, to hear an order on new
// connections (prepare) and on those that are there (order), and a line. CPU times are those of
// the meeting's process and of rank 0's, and bytes are those of the meeting's connections.
func BenchmarkRanks(b *testing.B) {
	for _, ranks := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
			s := sums{}
			for range b.N {
				s.addRun(b, newCrowd(b, ranks))
			}
			for unit, sum := range s {
				b.ReportMetric(sum/float64(b.N), unit)
			}
		})
	}
}

// sums are of the metrics of several runs.
type sums map[string]float64

func (s sums) addRun(b *testing.B, c *crowd) {
	s.addStage(b, c, "meet", func() { c.meet(b) })
	s.addStage(b, c, "prepare", func() { c.prepare(b) })
	s.addStage(b, c, "order", func() {
		_, err := c.clients.Conns()
		require.NoError(b, err)
	})
	var l line
	before := held()
	s.addStage(b, c, "line", func() { l = c.measure(b) })
	s["rank0-heap-B"] += float64(held() - before)
	s["meeting-peak-B"] += float64(figuresOf(b, c.meeting).PeakRSS)
	s["spread-ns"] += float64(l.spread)
	s["late-ns"] += float64(l.late)
	s["replies-ns"] += float64(l.replied)
	s["merge-ns"] += float64(l.merged)
	s["reply-B"] += float64(len(canned()))
	runtime.KeepAlive(l.sum)
}

// addStage adds what a stage takes.
func (s sums) addStage(b *testing.B, c *crowd, name string, do func()) {
	meeting, own, before, begin := figuresOf(b, c.meeting), host.OwnFigures(), passed(b, c), time.Now()
	do()
	s[name+"-ns"] += float64(time.Since(begin))
	s[name+"-rank0-cpu-ns"] += float64(host.OwnFigures().Since(own).CPU)
	s[name+"-meeting-cpu-ns"] += float64(figuresOf(b, c.meeting).Since(meeting).CPU)
	after := passed(b, c)
	s[name+"-B"] += float64(after.Bytes - before.Bytes)
	s[name+"-conns"] += float64(after.Conns - before.Conns)
}

func figuresOf(b *testing.B, c Child) host.Figures {
	b.Helper()
	f, err := c.Figures(b.Context())
	require.NoError(b, err)
	return f
}

// passed is what has passed the meeting.
func passed(b *testing.B, c *crowd) (a trafficReply) {
	b.Helper()
	require.NoError(b, c.meeting.Ask("/traffic", struct{}{}, &a))
	return a
}
