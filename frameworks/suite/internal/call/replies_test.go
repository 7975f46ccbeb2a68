package call

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// asking is prepareEcho of requests with an action.
func asking(action string) preparer {
	return func(ctx context.Context, c framework.Client, q Requests) (Job, error) {
		q.Action = action
		return prepareEcho(ctx, c, q)
	}
}

// makeCall makes a call of a job, and checks it.
func makeCall(ctx context.Context, j Job, worker int) (err error) {
	if j.Async != nil {
		done := make(chan error, 1)
		j.Async(ctx, worker, func(err error) { done <- err })
		err = <-done
	} else {
		err = j.Call(ctx, worker)
	}
	if err == nil && j.Check != nil {
		err = j.Check(worker)
	}
	return err
}

// ways are the preparations whose replies are payloads that come back.
func ways() map[string]func(context.Context, framework.Client, Requests) (Job, error) {
	return map[string]func(context.Context, framework.Client, Requests) (Job, error){
		"calls": prepareEcho, "work": asking(ask.Work("nop")), "messages without fields": prepareMessage(nil),
		"asynchronous calls": PrepareAsync, "transfers": prepareBytes, "streams": PreparePingPong,
	}
}

func TestRepliesOfAnotherSizeAreCompared(t *testing.T) {
	answer := func(m framework.EchoMessage) framework.EchoMessage {
		m.Msg, _ = handler.Echo(m.Action, m.Msg)
		return m
	}
	for _, c := range []struct {
		about          string
		request, reply int
		fault          func(request framework.EchoMessage) framework.EchoMessage
		say            string
	}{
		{"a larger reply", 100, 1000, answer, ""},
		{"a smaller one", 1000, 100, answer, ""},
		{"one of many stretches", 100, 1 << 20, answer, ""},
		{"one of no bytes", 100, 0, answer, ""},
		{"one to a request of no bytes", 0, 100, answer, ""},
		{"the request instead", 100, 1000, func(m framework.EchoMessage) framework.EchoMessage { return m }, "reply: 100 bytes, want 1000"},
		{"a byte too many", 100, 1000, func(m framework.EchoMessage) framework.EchoMessage {
			m = answer(m)
			m.Msg = append(m.Msg, 0)
			return m
		}, "reply: 1001 bytes, want 1000"},
		{"a bit of it", 100, 1000, func(m framework.EchoMessage) framework.EchoMessage {
			m = answer(m)
			m.Msg[999] ^= 1
			return m
		}, WhatWasSent},
		{"the reply to another request", 100, 1000, func(m framework.EchoMessage) framework.EchoMessage {
			m.Msg[0]++
			return answer(m)
		}, WhatWasSent},
	} {
		for about, action := range map[string]string{"echo": handler.ActionEcho, "work": ask.Work("nop")} {
			handler.ServeWork("nop", func() error { return nil })
			q := Requests{Workers: 2, Size: c.request, Action: ask.Reply(c.reply, action)}
			for way, prepare := range map[string]preparer{"calls": prepareEcho, "asynchronous calls": PrepareAsync} {
				t.Run(c.about+" by "+way+" of "+about, func(t *testing.T) {
					j, err := prepare(t.Context(), fakes.Client{Reply: c.fault}, q)
					require.NoError(t, err)
					err = makeCall(t.Context(), j, 1)
					if c.say == "" {
						assert.NoError(t, err)
					} else {
						assert.ErrorContains(t, err, c.say)
					}
				})
			}
		}
	}
}

func TestRepliesAreCompared(t *testing.T) {
	for _, c := range []struct {
		about string
		size  int
		reply func(m framework.EchoMessage) framework.EchoMessage
		ok    bool
	}{
		{"all is well", 100, func(m framework.EchoMessage) framework.EchoMessage { return m }, true},
		{"an empty payload", 0, func(m framework.EchoMessage) framework.EchoMessage { return m }, true},
		{"a bit in the middle", 100, func(m framework.EchoMessage) framework.EchoMessage { m.Msg[50] ^= 1; return m }, false},
		{"a bit of a large one", wholeSize, func(m framework.EchoMessage) framework.EchoMessage { m.Msg[20_000] ^= 128; return m }, false},
		{"the last bit of a larger one", 1 << 20, func(m framework.EchoMessage) framework.EchoMessage { m.Msg[1<<20-1] ^= 1; return m }, false},
		{"a byte too few", 100, func(m framework.EchoMessage) framework.EchoMessage { m.Msg = m.Msg[1:]; return m }, false},
		{"no action", 100, func(m framework.EchoMessage) framework.EchoMessage { m.Action = ""; return m }, false},
	} {
		for way, prepare := range ways() {
			t.Run(c.about+" in "+way, func(t *testing.T) {
				j, err := prepare(t.Context(), fakes.Client{Reply: c.reply}, Requests{Workers: 2, Size: c.size})
				require.NoError(t, err)
				r, err := j.Runner()(t.Context(), loadgen.Config{Workers: 2, Calls: 6, Schedule: loadgen.ClosedLoop, Check: j.Check})
				require.NoError(t, err)
				assert.Equal(t, c.ok, r.Failed == 0, r.Failures())
				assert.Equal(t, !c.ok, r.OK == 0)
			})
		}
	}
}

func TestAClientThatChecksNothing(t *testing.T) {
	requests := EchoRequests(1, 100)
	r := newReplies(requests)
	require.NoError(t, r.Keep(0, requests[0]))
	require.NoError(t, r.Compare(0))
	assert.ErrorIs(t, r.Compare(0), ErrNoReply, "no reply since")
}

// A stretch moves on, so that a few calls of one worker compare every byte, and the
// first calls of many workers do.
func TestStretches(t *testing.T) {
	for _, n := range []int{wholeSize + 1, 100_000, 1 << 20, 1<<20 + 1} {
		calls := (n-2*endSize-1)/stretchSize + 1
		for _, place := range []int{0, endSize - 1, endSize, endSize + stretchSize - 1, endSize + stretchSize, n / 2, n - endSize - 1, n - endSize, n - 1} {
			want := make([]byte, n)
			got := bytes.Clone(want)
			got[place] = 1
			for worker := range 2 * calls {
				s, seen := startOf(worker, n), 0
				for range calls {
					if !s.equal(got, want) {
						seen++
					}
				}
				assert.Positive(t, seen, "byte %d of %d, worker %d", place, n, worker)
			}
			seen := 0
			for worker := range calls {
				if s := startOf(worker, n); !s.equal(got, want) {
					seen++
				}
			}
			assert.Positive(t, seen, "byte %d of %d, first calls", place, n)
		}
	}
}

// TestFlippedBits flips one bit at a random place in each of many replies.
func TestFlippedBits(t *testing.T) {
	const flips = 10_000
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 1 << 10, 4 << 10, wholeSize} {
		flip := fakes.Client{Reply: func(m framework.EchoMessage) framework.EchoMessage {
			bit := random.IntN(8 * size)
			m.Msg[bit/8] ^= 1 << (bit % 8)
			return m
		}}
		j, err := prepareEcho(t.Context(), flip, Requests{Workers: 1, Size: size})
		require.NoError(t, err)
		for i := range flips / (1 + size/1000) {
			require.NoError(t, j.Call(t.Context(), 0))
			require.ErrorIs(t, j.Check(0), ErrWrongReply, "flip %d of %d bytes", i, size)
		}
	}
}

func TestLateReplies(t *testing.T) {
	requests := EchoRequests(1, 100)
	right := requests[0]
	wrong := framework.EchoMessage{Action: right.Action, Msg: make([]byte, 100)}
	for _, c := range []struct {
		about         string
		before, after []framework.EchoMessage // the call begins
		errs          []error                 // of keep, after it began
		want          error
	}{
		{"one reply", nil, []framework.EchoMessage{right}, []error{nil}, nil},
		{"a wrong one", nil, []framework.EchoMessage{wrong}, []error{nil}, ErrWrongReply},
		{"none", nil, nil, nil, ErrNoReply},
		{"one before the call is not taken for its reply", []framework.EchoMessage{right}, nil, nil, ErrNoReply},
		{"nor is one of two", []framework.EchoMessage{right, right}, nil, nil, ErrNoReply},
		{"a wrong one before the call harms nobody", []framework.EchoMessage{wrong}, []framework.EchoMessage{right}, []error{nil}, nil},
		{"a late one does not hide a wrong one", nil, []framework.EchoMessage{right, wrong}, []error{nil, ErrWrongReply}, nil},
		{"nor in the other order", nil, []framework.EchoMessage{wrong, right}, []error{nil, nil}, ErrWrongReply},
		{"two that are right", nil, []framework.EchoMessage{right, right}, []error{nil, nil}, nil},
	} {
		r := lateReplies{newReplies(requests), make([]slot, len(requests))}
		for _, m := range c.before {
			require.NoError(t, r.keep(0, m))
		}
		r.begin(0)
		var errs []error
		for _, m := range c.after {
			errs = append(errs, r.keep(0, m))
		}
		assert.Equal(t, c.errs, errs, c.about)
		assert.Equal(t, c.want, r.compare(0), c.about)
	}
}

// A reply may come while a late one is being kept: it is the call's own if it is right.
func TestAReplyThatFindsALateOneBeingKept(t *testing.T) {
	requests := EchoRequests(1, 100)
	for _, c := range []struct {
		about     string
		reply     framework.EchoMessage
		kept, end error
	}{
		{"a right one answers the call", requests[0], nil, nil},
		{"a wrong one does not", framework.EchoMessage{Msg: make([]byte, 100)}, ErrWrongReply, ErrNoReply},
	} {
		r := lateReplies{newReplies(requests), make([]slot, len(requests))}
		r.begin(0)
		r.slots[0].state.Store(slotTaken)
		assert.Equal(t, c.kept, r.keep(0, c.reply), c.about)
		assert.Equal(t, c.end, r.compare(0), c.about)
		r.begin(0)
		assert.Equal(t, ErrNoReply, r.compare(0), "%s: the next call has none yet", c.about)
	}
}

// Under the race detector this shows that late replies to calls given up may come at any
// time.
func TestLateRepliesRace(t *testing.T) {
	requests := EchoRequests(1, 100)
	r := lateReplies{newReplies(requests), make([]slot, len(requests))}
	r.begin(0)
	given := requests[0]
	var late sync.WaitGroup
	late.Go(func() {
		for range 1000 {
			r.keep(0, given)
		}
	})
	for range 1000 {
		r.begin(0)
		r.keep(0, requests[0])
		assert.NoError(t, r.compare(0))
	}
	late.Wait()
}

// BenchmarkReplies is what a call pays: keeping its reply, and comparing it after its
// end. The replies of many workers take turns, so that they are not all in the fastest
// cache.
func BenchmarkReplies(b *testing.B) {
	for _, size := range []int{0, 1 << 10, 4 << 10, 64 << 10, 1 << 20} {
		b.Run("call=sync/size="+plan.FormatSize(size), func(b *testing.B) {
			benchmarkReplies(b, size, func(r lateReplies, worker int, m framework.EchoMessage) error {
				r.Replies.Begin(worker)
				increment(m.Msg) // as in a fresh reply
				if err := r.Replies.Keep(worker, m); err != nil {
					return err
				}
				return r.Replies.Compare(worker)
			})
		})
		b.Run("call=async/size="+plan.FormatSize(size), func(b *testing.B) {
			benchmarkReplies(b, size, func(r lateReplies, worker int, m framework.EchoMessage) error {
				r.begin(worker)
				increment(m.Msg)
				if err := r.keep(worker, m); err != nil {
					return err
				}
				return r.compare(worker)
			})
		})
	}
}

func benchmarkReplies(b *testing.B, size int, call func(r lateReplies, worker int, m framework.EchoMessage) error) {
	const workers = 64
	requests := EchoRequests(workers, size)
	for i := range requests {
		requests[i].Msg = bytes.Clone(requests[i].Msg) // large ones share an array
	}
	r, come := lateReplies{newReplies(requests), make([]slot, len(requests))}, make([]framework.EchoMessage, workers)
	for i, q := range requests {
		come[i] = framework.EchoMessage{Action: strings.Clone(q.Action), Msg: bytes.Clone(q.Msg)}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i = (i + 1) % workers {
		if err := call(r, i, come[i]); err != nil {
			b.Fatal(err)
		}
	}
}

// forgetful is a client whose first call fails after its check, and whose second hands
// over nothing.
type forgetful struct {
	answering
	calls *int
}

var errLate = errors.New("after the check")

func (c forgetful) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.once(c.Client.Echo(requests, check))
}

func (c forgetful) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.once(c.answering.Message(workers, check))
}

func (c forgetful) once(call loadgen.Call) loadgen.Call {
	return func(ctx context.Context, worker int) error {
		if *c.calls++; *c.calls > 1 {
			return nil
		}
		return cmp.Or(call(ctx, worker), errLate)
	}
}

func TestTheReplyToAFailedCallIsForgotten(t *testing.T) {
	whole := fakes.Client{Reply: func(m framework.EchoMessage) framework.EchoMessage { return m }}
	for about, prepare := range map[string]func(context.Context, framework.Client, Requests) (Job, error){
		"a payload": prepareEcho, "a transfer": prepareBytes, "the bench message": prepareMessage(nil),
	} {
		c := forgetful{answering{Client: whole, drop: func(*bench40) {}, reply: func(m *bench40) any { return m }}, new(int)}
		j, err := prepare(t.Context(), c, Requests{Workers: 1, Size: 100})
		require.NoError(t, err)
		require.ErrorIs(t, j.Call(t.Context(), 0), errLate, about)
		require.NoError(t, j.Call(t.Context(), 0), about)
		assert.Error(t, j.Check(0), "%s: the second call had no reply", about)
	}
}

// The reply to a call that timed out may be read while the call's own reply comes, and
// turn out to be wrong: the call's own counts.
func TestARightReplyBesideAWrongOne(t *testing.T) {
	requests := EchoRequests(1, 16)
	r := lateReplies{newReplies(requests), make([]slot, len(requests))}
	r.begin(0)
	r.slots[0].state.Store(slotTaken) // by the late one
	assert.NoError(t, r.keep(0, requests[0]))
	assert.ErrorIs(t, r.keep(0, framework.EchoMessage{Action: handler.ActionEcho, Msg: make([]byte, 16)}), ErrWrongReply)
	r.slots[0].state.Store(slotEmpty) // it was wrong
	assert.NoError(t, r.compare(0))
	r.begin(0)
	assert.ErrorIs(t, r.compare(0), ErrNoReply, "it is no reply to the next call")
}
