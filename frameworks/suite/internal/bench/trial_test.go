package bench

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/trial"
	"github.com/rpcbench/rpcbench/loadgen"
)

// slowLink is a client whose payloads take a second for that many bytes.
type slowLink struct {
	fakes.Client
	rate int
}

// Echo implements framework.Client.
func (c slowLink) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return func(ctx context.Context, worker int) error {
		select {
		case <-time.After(time.Duration(len(requests[worker].Msg)) * time.Second / time.Duration(c.rate)):
			return check(worker, c.To(requests[worker]))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Close implements framework.Client.
func (slowLink) Close() error { return nil }

// TestATrialOfALargeTransfer: whether a server has a feature is known in the time of a
// call, however large the transfers of the benchmark are.
func TestATrialOfALargeTransfer(t *testing.T) {
	for _, c := range []struct {
		about string
		rate  int // bytes per second
		want  error
	}{
		{"a link of 16 MiB/s", 16 << 20, nil},
		{"the slowest on which transfers are in time, and three trials at once", 2 << 20 / 3, nil},
		{"a server that does not answer in time: the call says so", 1 << 10, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			v := framework.Variant{Dial: func(string, framework.DialOptions) (framework.Client, error) {
				return slowLink{fakes.Client{Reply: func(m framework.EchoMessage) framework.EchoMessage { return m }}, c.rate}, nil
			}}
			target := plan.Target{Variant: v, Given: "server:1"}
			leaf := bulkLeafOf(target, 64<<20, 1)
			err := trial.Case(&load.Settings{Watchdog: 10 * time.Second}, plan.Case{Target: target, Spec: leaf.Common(), Leaf: leaf})
			assert.ErrorIs(t, err, c.want, c.about)
			time.Sleep(time.Hour) // until all has ended
		})
	}
}
