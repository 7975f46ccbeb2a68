package load

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// An agent obeys only the process that has started it.
func TestAgentsTakeNoOrdersOfOthers(t *testing.T) {
	a, err := NewAgent(nil)
	require.NoError(t, err)
	defer a.Close()
	for _, path := range []string{"/prepare", "/run"} {
		response, err := http.Post("http://"+a.Addr()+path, "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		response.Body.Close()
		assert.Equal(t, http.StatusForbidden, response.StatusCode)
	}
}

// TestClientsMakeOneMix: the calls of all clients are of the sizes that one process draws, and
// each number of the run is made once.
func TestClientsMakeOneMix(t *testing.T) {
	const calls = 301
	m := call.NewMenu(nil)
	require.NoError(t, m.Mixes.Set("1B-3_2B-1"))
	l := m.Mixed()[0].Driven("", 10)
	l.Schedule = loadgen.Constant(1_000_000)
	c := plan.Case{Spec: l.Spec, Leaf: l}
	made := func(size int) (parts map[string]int64, numbers []int64) {
		parts = map[string]int64{}
		var mu sync.Mutex
		for rank := range size {
			j, err := l.Prepare(t.Context(), fakes.Client{Reply: func(m framework.EchoMessage) framework.EchoMessage { return m }}, call.Requests{Workers: 10})
			require.NoError(t, err)
			a := &agent{found: Found{Case: c, Slack: plan.NewOptions().Slack()}, order: PrepareRequest{Rank: rank, Size: size}, load: &Local{Job: j, Patience: time.Minute}}
			cfg := a.config(RunRequest{Calls: int64(shareOf(calls, rank, size))}, new(dues), nil)
			cfg.OnCall = func(_ int, a loadgen.Arrival) {
				mu.Lock()
				defer mu.Unlock()
				numbers = append(numbers, a.Number)
			}
			r, err := a.load.Loads(t.Context(), cfg)
			require.NoError(t, err)
			for _, p := range r.Parts {
				parts[p.Name] += p.Result.Due
			}
		}
		slices.Sort(numbers)
		return parts, numbers
	}
	one, numbers := made(1)
	require.Len(t, numbers, calls)
	for _, size := range []int{2, 3, 7} {
		parts, same := made(size)
		assert.Equal(t, one, parts, "%d clients", size)
		assert.Equal(t, numbers, same, "%d clients", size)
	}
}
