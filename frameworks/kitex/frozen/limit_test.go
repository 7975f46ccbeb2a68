package frozen

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/suitetest"
)

// BenchmarkDialLimit counts the calls that fail over the article's pool: with kitex's own limit
// for a connect, which the article has, and with this adapter's.
func BenchmarkDialLimit(b *testing.B) {
	for _, limit := range []time.Duration{50 * time.Millisecond, dialTimeout} {
		for _, callers := range []int{1000, 2000, 5000} {
			b.Run(fmt.Sprintf("limit=%v/conc=%d", limit, callers), func(b *testing.B) { dialLimited(b, limit, callers) })
		}
	}
}

func dialLimited(b *testing.B, limit time.Duration, callers int) {
	s := idle10
	s.dialLimit = limit
	c, err := dial(suitetest.Start(b, variant(idle10).ID()).Addr, s, framework.DialOptions{Callers: callers, Conns: 10})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	b.ResetTimer()
	failed := failures(c.(framework.MessageClient), callers, int64(b.N))
	b.ReportMetric(100*float64(failed)/float64(b.N), "failed-%")
}

// failures is how many of n calls failed.
func failures(c framework.MessageClient, callers int, n int64) int64 {
	call := c.Message(callers, func(int, string, int32, any) error { return nil })
	var made, failed atomic.Int64
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for made.Add(1) <= n {
				if call(context.Background(), caller) != nil {
					failed.Add(1)
				}
			}
		})
	}
	all.Wait()
	return failed.Load()
}
