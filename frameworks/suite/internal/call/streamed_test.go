package call

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/loadgen"
)

// TestStreamedNoticesFaults: of 100 messages on a stream the one that the network changes
// is a failed call, and no other.
func TestStreamedNoticesFaults(t *testing.T) {
	both := func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, b} }
	for _, c := range []struct {
		about          string
		oneWay         bool
		change         func(a, b framework.EchoMessage) []framework.EchoMessage
		answered, lost int64
	}{
		{"all arrive", false, both, 100, 0},
		{"one is lost", false, func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{b} }, 99, 1},
		{"one comes twice", false, func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, b, b} }, 100, 0},
		{"a byte is changed", false, func(a, b framework.EchoMessage) []framework.EchoMessage {
			a.Msg[40]++
			return []framework.EchoMessage{a, b}
		}, 99, 1},
		{"all are acknowledged", true, both, 100, 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer time.Sleep(time.Minute) // pipes end by themselves
				j, err := prepareStreamed(c.oneWay)(t.Context(), fakes.PipeClient{Fault: faulty(c.change)}, Requests{Workers: 1, Size: 64, Patience: time.Second})
				require.NoError(t, err)
				cfg := loadgen.Config{Schedule: loadgen.Constant(1000), Calls: 100, Drain: time.Second, RuntimeTimers: true}
				res, _ := j.Runner()(t.Context(), cfg)
				assert.Equal(t, []int64{c.answered, c.lost}, []int64{res.OK, res.Failed}, "%v", res.Warnings)
			})
		})
	}
}

// mute is a client whose stream after the second is never answered.
type mute struct {
	fakes.PipeClient
	opened *int
}

func (c mute) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	if *c.opened++; *c.opened > 2 {
		c.Fault = func(framework.EchoMessage) []framework.EchoMessage { return nil }
	}
	return c.PipeClient.OpenStream(ctx, worker)
}

// TestMoreStreamsThanThereCanBe: the number of the stream that was not opened is said.
func TestMoreStreamsThanThereCanBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(time.Minute) // pipes end by themselves
		all := func(m framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{m} }
		_, err := prepareStreamed(false)(t.Context(), mute{fakes.PipeClient{Fault: all}, new(int)}, Requests{Workers: 5, Size: 64, Patience: time.Second})
		assert.EqualError(t, err, "stream 3 of 5: it was not opened and answered within 1s: the framework or the server may allow no more")
	})
}
