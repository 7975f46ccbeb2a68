package call

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// wayward is a client that hands out other replies than those that came: choose returns the
// number of the call, of all calls from 0 on, whose reply the call i gets.
type wayward struct {
	fakes.Client
	choose func(i int) int
	as     func(*message.Bench) any // how an answer is handed out
}

func (c wayward) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	var sent []framework.EchoMessage
	return func(_ context.Context, worker int) error {
		r := requests[worker]
		msg, err := handler.Echo(r.Action, bytes.Clone(r.Msg))
		if err != nil {
			return err
		}
		sent = append(sent, framework.EchoMessage{Action: r.Action, Msg: msg})
		return check(worker, sent[max(c.choose(len(sent)-1), 0)])
	}
}

// wrong makes calls by workers in turn and counts those whose replies are not theirs.
func wrong(t *testing.T, j Job, calls, workers int) (n int) {
	for i := range calls {
		require.NoError(t, j.Call(t.Context(), i%workers))
		if err := j.Check(i % workers); err != nil {
			assert.ErrorIs(t, err, ErrWrongReply)
			n++
		}
	}
	return n
}

func TestAReplyOfAnotherCallIsNoticed(t *testing.T) {
	const calls, workers = 20, 2
	for _, c := range []struct {
		about  string
		choose func(i int) int
		wrong  int
	}{
		{"each call gets its own", func(i int) int { return i }, 0},
		{"one gets the reply before", func(i int) int { return i - b2i(i == 10) }, 1},
		{"one gets the worker's reply before", func(i int) int { return i - workers*b2i(i == 10) }, 1},
		{"all are one late", func(i int) int { return i - 1 }, calls - 1},
		{"all are one of the worker's late", func(i int) int { return i - workers }, calls - 1},
		{"one reply comes all the time", func(int) int { return 0 }, calls - 1},
	} {
		for about, q := range map[string]Requests{
			"a byte":                     {Size: 1},
			"less than a number":         {Size: 5},
			"a number":                   {Size: 8},
			"a small payload":            {Size: 1 << 10},
			"one that compresses":        {Size: 1 << 10, Compressible: true},
			"the largest that is copied": {Size: numberedSize},
			"a slice of one array":       {Size: numberedSize + 1},
			"a large one":                {Size: 1 << 20},
			"a large one, compressible":  {Size: 1 << 20, Compressible: true},
			"a reply of another size":    {Size: 64, Action: ask.Reply(1<<10, handler.ActionEcho)},
		} {
			q.Workers = workers
			j, err := prepareEcho(t.Context(), wayward{choose: c.choose}, q)
			require.NoError(t, err)
			assert.Equal(t, c.wrong, wrong(t, j, calls, workers), "%s: %s", c.about, about)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestSentBytesStayAfterACallIsGivenUp, because they may still be under way.
func TestSentBytesStayAfterACallIsGivenUp(t *testing.T) {
	for _, size := range []int{1, 8, 1 << 10, numberedSize + 1} {
		requests, r := Requests{Workers: 1, Size: size}.Replies()
		r.Begin(0)
		given, was := requests[0].Msg, bytes.Clone(requests[0].Msg)
		r.Begin(0)
		assert.NotEqual(t, was, requests[0].Msg, "%d bytes", size)
		assert.Equal(t, was, given, "%d bytes", size)
		require.NoError(t, r.Keep(0, requests[0]))
		require.NoError(t, r.Compare(0))
		before := &requests[0].Msg[0]
		r.Begin(0)
		assert.Equal(t, size <= numberedSize, before == &requests[0].Msg[0], "%d bytes: the next one is the same memory", size)
	}
}

// BenchmarkTurn is what it costs to have a request differ from the one before.
func BenchmarkTurn(b *testing.B) {
	for _, size := range []int{1, 1 << 10, 64 << 10, 1 << 20} {
		b.Run(fmt.Sprint("size=", plan.FormatSize(size)), func(b *testing.B) {
			const workers = 64
			_, r := Requests{Workers: workers, Size: size}.Replies()
			b.ReportAllocs()
			for i := 0; b.Loop(); i = (i + 1) % workers {
				r[i].turn.unsure = false
				r.Begin(i)
			}
		})
	}
}

// Message implements framework.MessageClient: c.choose does for it what it does for Echo.
func (c wayward) Message(workers int, check framework.MessageCheck) loadgen.Call {
	requests := message.NewRequests[message.Bench](workers)
	var sent []message.Bench
	return func(_ context.Context, worker int) error {
		m := *requests.Of(worker)
		requests.Done(worker)
		number := *m.Field22
		m.Field22 = &number
		sent = append(sent, m)
		got := sent[max(c.choose(len(sent)-1), 0)]
		return check(worker, message.AnswerField1, message.AnswerField2, c.as(&got))
	}
}

func (wayward) CallUnknown(context.Context) error { return nil }

// numberedAnswer is a bench message that is no struct.
type numberedAnswer struct{ *message.Bench }

func (n numberedAnswer) Struct() any   { return n.Bench }
func (n numberedAnswer) Number() int64 { return *n.Field22 }

func TestAnAnswerToAnotherCallIsNoticed(t *testing.T) {
	const calls, workers = 20, 2
	for about, as := range map[string]func(*message.Bench) any{
		"a struct":     func(m *message.Bench) any { return m },
		"a Structured": func(m *message.Bench) any { return numberedAnswer{m} },
	} {
		for _, c := range []struct {
			about  string
			choose func(i int) int
			wrong  int
		}{
			{"each call gets its own", func(i int) int { return i }, 0},
			{"one gets another worker's", func(i int) int { return i - b2i(i == 10) }, 1},
			{"one gets the worker's before", func(i int) int { return i - workers*b2i(i == 10) }, 1},
			{"all are one of the worker's late", func(i int) int { return i - workers }, calls - 1},
		} {
			j, err := prepareMessage(nil)(t.Context(), wayward{choose: c.choose, as: as}, Requests{Workers: workers})
			require.NoError(t, err)
			assert.Equal(t, c.wrong, wrong(t, j, calls, workers), "%s: %s", c.about, about)
		}
	}
}

// TestATransferOfBeforeIsNoticed: every transfer has other bytes than the one before.
func TestATransferOfBeforeIsNoticed(t *testing.T) {
	for _, size := range []int{8, 1 << 10, 1 << 20} {
		var before, now []byte
		stale := false
		j, err := prepareStream(t.Context(), fakes.PipeClient{Fault: func(m framework.EchoMessage) []framework.EchoMessage {
			now = bytes.Clone(m.Msg)
			if stale {
				m.Msg = before
			}
			before = now
			return []framework.EchoMessage{m}
		}}, Requests{Workers: 1, Size: size, Chunk: size})
		require.NoError(t, err)
		for call := range 3 {
			stale = call == 2
			require.NoError(t, j.Call(t.Context(), 0))
			assert.Equal(t, stale, j.Check(0) != nil, "transfer %d of %d bytes", call, size)
		}
	}
}
