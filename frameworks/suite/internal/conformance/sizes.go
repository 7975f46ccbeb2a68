package conformance

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// variesSizes makes calls of one worker whose payloads shrink and grow between them, as those of
// a distribution of sizes do: at first in the same memory, then in another each time. A client
// that keeps a request of before sends too much or too little.
func (s subject) variesSizes(t tester.T) {
	if s.Converts {
		t.Skip("its requests are made before the calls, and keep their size")
	}
	const large = 100 << 10
	sizes := slices.DeleteFunc([]int{small, 0, 1, large, 1, 0, small, small + 1, small - 1, large}, func(n int) bool { return s.Fits(n) != nil })
	payload := call.RandomBytes(large+len(sizes), 1)
	for _, step := range []int{0, 1} { // bytes by which the next payload begins later
		requests := []framework.EchoMessage{{Action: handler.ActionEcho, Msg: payload[:sizes[0]]}}
		echo := s.dial(t, 1).Echo(requests, call.CheckAll(requests))
		for i, n := range sizes {
			requests[0].Msg = payload[i*step:][:n:n]
			require.NoError(t, s.inTime(t, echo), "%d bytes after others, %d bytes further on", n, step)
		}
	}
}
