package rpcbench_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/loadgen"
)

// TestPoolsHaveTheWorkersThatAreAskedFor counts the handlers that run at once. All are
// counted, since a handler waits until others have had the time to begin.
func TestPoolsHaveTheWorkersThatAreAskedFor(t *testing.T) {
	var running, most atomic.Int64
	handler.ServeWork("counted", func() error {
		defer running.Add(-1)
		now := running.Add(1)
		for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		return nil
	})
	for _, v := range frameworks {
		if assert.Equal(t, v.Pool == "workers", v.ServePool != nil, v.ID()); v.ServePool == nil {
			continue
		}
		for _, workers := range []int{1, 4} {
			most.Store(0)
			callers := 8 * workers
			callCounted(t, v, workers, callers)
			if bound := int64(workers); v.Framework == "grpc" { // starts goroutines beside a pool that is busy
				assert.Greater(t, most.Load(), bound, v.ID())
			} else {
				assert.LessOrEqual(t, most.Load(), bound, v.ID())
			}
		}
	}
}

func callCounted(t *testing.T, v framework.Variant, workers, callers int) {
	s, err := v.ServePool("127.0.0.1:0", workers)
	require.NoError(t, err)
	defer s.Close()
	c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 4, Callers: callers})
	require.NoError(t, err)
	defer c.Close()
	requests := make([]framework.EchoMessage, callers)
	for i := range requests {
		requests[i].Action = "work/counted"
	}
	call := c.Echo(requests, func(int, framework.EchoMessage) error { return nil })
	res, err := loadgen.Run(t.Context(), loadgen.Config{Workers: callers, Calls: int64(2 * callers), Schedule: loadgen.ClosedLoop}, call)
	require.NoError(t, err)
	require.Zero(t, res.Failed, res.Failures())
}
