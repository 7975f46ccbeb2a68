package call

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/loadgen"
)

// messagesOf sends what comes as it is.
func messagesOf(m framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{m} }

// untilTheEnd is a context that ends the streams of a test, and waits until they have ended.
func untilTheEnd(t *testing.T) context.Context {
	ctx, end := context.WithCancel(context.Background())
	t.Cleanup(func() {
		end()
		time.Sleep(time.Minute) // pipes end by themselves
	})
	return ctx
}

// damaging changes the fiftieth message that the first stream receives, and the next one. A
// message takes a microsecond.
type damaging struct {
	fakes.PipeClient
	change func(a, b framework.EchoMessage) []framework.EchoMessage
}

func (c damaging) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	change := messagesOf
	if worker == 0 {
		change = faulty(c.change)
	}
	c.Back = func(m framework.EchoMessage) []framework.EchoMessage {
		time.Sleep(time.Microsecond)
		return change(m)
	}
	return c.PipeClient.OpenStream(ctx, worker)
}

// TestPushesNoticeFaults: what a server loses, repeats, swaps or changes fails.
func TestPushesNoticeFaults(t *testing.T) {
	both := func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, b} }
	for _, c := range []struct {
		about  string
		change func(a, b framework.EchoMessage) []framework.EchoMessage
		say    string // of the failed messages; "" if none fails
		alone  bool   // no other fails
	}{
		{"all arrive", both, "", false},
		{"one is lost", func(a, b framework.EchoMessage) []framework.EchoMessage { return messagesOf(b) }, "messages were lost or have overtaken others", false},
		{"one comes twice", func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{a, a, b} }, "messages were doubled, or were overtaken", false},
		{"one overtakes another", func(a, b framework.EchoMessage) []framework.EchoMessage { return []framework.EchoMessage{b, a} }, "messages were lost or have overtaken others", false},
		{"a byte is changed", func(a, b framework.EchoMessage) []framework.EchoMessage {
			a.Msg[40]++
			return both(a, b)
		}, "is not what was sent", true},
		{"one is shorter", func(a, b framework.EchoMessage) []framework.EchoMessage {
			a.Msg = a.Msg[:60]
			return both(a, b)
		}, "is not what was sent", true},
		{"one is an echo", func(a, b framework.EchoMessage) []framework.EchoMessage {
			a.Action = handler.ActionEcho
			return both(a, b)
		}, "is not what was sent", true},
	} {
		for about, l := range map[string]struct {
			prepare  preparer
			schedule loadgen.Schedule
		}{
			"10 messages for a request":            {prepareServer(10), loadgen.ClosedLoop},
			"10 messages for a request when due":   {prepareServer(10), loadgen.Constant(1000)},
			"a message for subscribers when it is": {prepareFanout, loadgen.Constant(1000)}, // in a closed loop no message follows the fiftieth
		} {
			t.Run(c.about+"/"+about, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx := untilTheEnd(t)
					j, err := l.prepare(ctx, damaging{fakes.PipeClient{Fault: messagesOf}, c.change}, Requests{Workers: 4, Size: 64, Patience: time.Second})
					require.NoError(t, err)
					res, _ := j.Runner()(context.Background(), loadgen.Config{Workers: 4, Schedule: l.schedule, Calls: 455, Drain: time.Second, RuntimeTimers: true})
					assert.EqualValues(t, 455, res.Sent, "no more and no less, and none is told twice")
					switch {
					case c.say == "":
						assert.Zero(t, res.Failed)
					case c.alone:
						assert.EqualValues(t, 1, res.Failed)
					default:
						assert.Greater(t, res.Failed, int64(100))
						assert.Greater(t, res.OK, int64(40))
					}
					assert.Contains(t, res.Failures(), c.say)
					text, err := res.MarshalJSON()
					require.NoError(t, err)
					assert.NoError(t, new(loadgen.Result).UnmarshalJSON(text))
				})
			})
		}
	}
}

// TestAPushThatIsNotReceived ends a closed loop.
func TestAPushThatIsNotReceived(t *testing.T) {
	for _, prepare := range []preparer{prepareServer(1), prepareFanout} {
		synctest.Test(t, func(t *testing.T) {
			ctx := untilTheEnd(t)
			none := func(a, b framework.EchoMessage) []framework.EchoMessage { return nil }
			j, err := prepare(ctx, damaging{fakes.PipeClient{Fault: messagesOf}, none}, Requests{Workers: 2, Size: 64, Patience: time.Second})
			require.NoError(t, err)
			cfg := loadgen.Config{Schedule: loadgen.ClosedLoop, Calls: 200, Drain: time.Second, RuntimeTimers: true}
			res, _ := j.Runner()(context.Background(), cfg)
			assert.Positive(t, res.Failed)
			assert.GreaterOrEqual(t, res.OK, int64(48))
			res, _ = j.Runner()(context.Background(), cfg)
			assert.Zero(t, res.OK, "nobody knows what comes next")
		})
	}
}

// slow delays what the streams receive, each message by the stream's time.
type slow struct {
	fakes.PipeClient
	times []time.Duration
}

func (c slow) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	c.Back = func(m framework.EchoMessage) []framework.EchoMessage {
		if m.Action == handler.ActionPushed {
			time.Sleep(c.times[worker])
		}
		return messagesOf(m)
	}
	return c.PipeClient.OpenStream(ctx, worker)
}

// TestTimesOfPushes: a server sends 10 messages, each after a millisecond, or a message to
// subscribers of which one is slow.
func TestTimesOfPushes(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		about             string
		prepare           preparer
		schedule          loadgen.Schedule
		median, p99       time.Duration
		first, last, took time.Duration
	}{
		{"a request is answered by 10 messages", prepareServer(10), loadgen.ClosedLoop, 5 * ms, 10 * ms, 1 * ms, 10 * ms, 500 * ms},
		{"and when it is due", prepareServer(10), loadgen.Constant(20), 5 * ms, 10 * ms, 1 * ms, 10 * ms, 2460 * ms},
		{"each of 3 subscribers has the message", prepareFanout, loadgen.ClosedLoop, 2 * ms, 8 * ms, 1 * ms, 8 * ms, 167 * 8 * ms},
		{"and when it is published by a schedule", prepareFanout, loadgen.Constant(100), 2 * ms, 8 * ms, 1 * ms, 8 * ms, 1668 * ms},
	} {
		t.Run(c.about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := untilTheEnd(t)
				times, workers := []time.Duration{1 * ms, 2 * ms, 8 * ms, 0}, 4
				if c.p99 == 10*ms {
					workers = 1
				}
				j, err := c.prepare(ctx, slow{fakes.PipeClient{Fault: messagesOf}, times}, Requests{Workers: workers, Size: 64, Patience: time.Second})
				require.NoError(t, err)
				res, err := j.Runner()(context.Background(), loadgen.Config{Workers: workers, Schedule: c.schedule, Calls: 500, RuntimeTimers: true})
				require.NoError(t, err)
				assert.EqualValues(t, 500, res.OK, res.Failures())
				about := func(want, got time.Duration, say string) { assert.InEpsilon(t, want, got, .002, "%s: %v", say, got) }
				about(c.median, res.Response.Quantile(.5), "the median of all messages")
				about(c.p99, res.Response.Quantile(.99), "their p99")
				about(c.first, res.Parts[0].Result.Response.Quantile(.5), "the first of each push")
				about(c.last, res.Parts[1].Result.Response.Quantile(.5), "the last")
				assert.InDelta(t, c.took, res.Elapsed, float64(10*ms), "%v", res.Elapsed)
			})
		})
	}
}

// TestPushesRunAgain: streams stay open from run to run, also after a push that not all
// subscribers received.
func TestPushesRunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := untilTheEnd(t)
		for _, prepare := range []preparer{prepareServer(7), prepareFanout} {
			j, err := prepare(ctx, fakes.PipeClient{Fault: messagesOf}, Requests{Workers: 5, Size: 64, Patience: time.Second})
			require.NoError(t, err)
			for _, calls := range []int64{1, 4, 5, 20} {
				for _, schedule := range []loadgen.Schedule{loadgen.ClosedLoop, loadgen.Constant(1e5)} {
					for worker := range 5 {
						require.NoError(t, j.Call(context.Background(), worker), "as the warm-up does")
					}
					res, err := j.Runner()(context.Background(), loadgen.Config{Workers: 5, Schedule: schedule, Calls: calls, RuntimeTimers: true})
					require.NoError(t, err)
					assert.Equal(t, calls, res.OK, res.Failures())
				}
			}
		}
	})
}

// TestServersWithoutPushes say so, or are told by what they answer.
func TestServersWithoutPushes(t *testing.T) {
	for _, c := range []struct {
		about, say string
		server     func(m framework.EchoMessage) []framework.EchoMessage
	}{
		{"it knows no such action", handler.ErrNotImplemented.Error(), func(m framework.EchoMessage) []framework.EchoMessage {
			return messagesOf(framework.EchoMessage{Action: "not known"})
		}},
		{"it echoes all", `is "echo", want "`, func(m framework.EchoMessage) []framework.EchoMessage {
			return messagesOf(framework.EchoMessage{Action: handler.ActionEcho})
		}},
		{"it never answers", "it was not opened and answered within 1s", func(framework.EchoMessage) []framework.EchoMessage { return nil }},
	} {
		for mode, prepare := range map[string]preparer{modeServer: prepareServer(10), modeFanout: prepareFanout} {
			t.Run(c.about+"/"+mode, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx := untilTheEnd(t)
					_, err := prepare(ctx, fakes.PipeClient{Fault: c.server}, Requests{Workers: 2, Size: 64, Patience: time.Second})
					assert.ErrorContains(t, err, c.say)
				})
			})
		}
	}
}
