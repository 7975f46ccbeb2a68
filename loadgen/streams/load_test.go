package streams_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/streams"
)

// pipe is a stream to a server that answers each message after its service, but none
// while it is frozen.
type pipe struct {
	server   *server
	messages chan message
}

type message struct {
	number uint64
	ready  time.Time // when the answer arrives
}

// server serves any number of messages at a time.
type server struct {
	start          time.Time
	period, frozen time.Duration // it stands still for the last part of each period
	service        time.Duration
}

func (s *server) answers(at time.Time) time.Time {
	if s.period > 0 {
		if in := at.Sub(s.start) % s.period; in >= s.period-s.frozen {
			at = at.Add(s.period - in)
		}
	}
	return at.Add(s.service)
}

func newPipe(s *server) *pipe { return &pipe{s, make(chan message, 2000)} }

func (p *pipe) Send(number uint64) error {
	p.messages <- message{number, p.server.answers(time.Now())}
	return nil
}

func (p *pipe) Recv() (number uint64, err error) {
	m, ok := <-p.messages
	if !ok {
		return 0, io.EOF
	}
	time.Sleep(time.Until(m.ready))
	return m.number, nil
}

func (p *pipe) close() { close(p.messages) }

// pipes makes n of them to a server.
func pipes(n int, s *server) (list []streams.Stream, closeAll func()) {
	for range n {
		list = append(list, newPipe(s))
	}
	return list, func() {
		for _, p := range list {
			p.(*pipe).close()
		}
	}
}

// TestAStallIsSeenByEveryMessageDueInIt. A server that stands still for F of P answers
// the share q of messages within R(q) = F + s - (1-q)P.
func TestAStallIsSeenByEveryMessageDueInIt(t *testing.T) {
	const period, frozen, service = 5 * time.Second, 800 * time.Millisecond, 100 * time.Microsecond
	for _, n := range []int{1, 7, 100} {
		var before *streams.Result
		for range 3 {
			res := stall(t, n, &server{period: period, frozen: frozen, service: service})
			for _, q := range []float64{.5, .95, .99} {
				want := max(service, frozen+service-time.Duration(math.Round((1-q)*float64(period))))
				assert.InEpsilon(t, want, res.Response.Quantile(q), .001, "p%v of %d streams", 100*q, n)
			}
			assert.Zero(t, res.Lag.Max())
			assert.EqualValues(t, 20_000, res.OK)
			if before != nil {
				assert.True(t, assert.ObjectsAreEqual(before, res), "the same as before")
			}
			before = res
		}
	}
}

func stall(t *testing.T, n int, s *server) (res *streams.Result) {
	synctest.Test(t, func(t *testing.T) {
		list, closeAll := pipes(n, s)
		defer closeAll()
		load, err := streams.New(streams.Config{}, list...)
		require.NoError(t, err)
		res, err = load.Run(t.Context(), loadgen.Config{
			Schedule: loadgen.Constant(2000), Duration: 10 * time.Second, RuntimeTimers: true,
			OnStart: func() { s.start = time.Now() },
		})
		require.NoError(t, err)
	})
	return res
}

// TestAClosedLoopOverStreams: each caller waits for its answer.
func TestAClosedLoopOverStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, closeAll := pipes(4, &server{service: time.Millisecond})
		defer closeAll()
		load, err := streams.New(streams.Config{}, list...)
		require.NoError(t, err)
		res, err := load.Runner()(t.Context(), loadgen.Config{Workers: 4, Schedule: loadgen.ClosedLoop, Duration: time.Second})
		require.NoError(t, err)
		assert.EqualValues(t, 4000, res.OK)
		assert.Zero(t, res.Failed)
		assert.InEpsilon(t, time.Millisecond, res.Response.Max(), .001)
	})
}

// TestBadInputIsToldInASentence.
func TestBadInputIsToldInASentence(t *testing.T) {
	one := []streams.Stream{newPipe(new(server))}
	for _, c := range []struct {
		cfg  streams.Config
		list []streams.Stream
		want string
	}{
		{streams.Config{}, nil, "no streams"},
		{streams.Config{}, []streams.Stream{nil}, "stream 0 of 1 is nil"},
		{streams.Config{Window: -1}, one, "Window is -1"},
		{streams.Config{Matching: 7}, one, "Matching is Matching(7)"},
		{streams.Config{Matching: streams.InOrder, Unordered: true}, one, "Unordered answers need numbers"},
	} {
		_, err := streams.New(c.cfg, c.list...)
		assert.ErrorContains(t, err, c.want)
	}
}

// TestResultPrintsItsReport, whichever of the two is printed.
func TestResultPrintsItsReport(t *testing.T) {
	res := streams.Result{Result: &loadgen.Result{Closed: true, Elapsed: time.Second, Sent: 3, OK: 3}, Streams: 2, Late: 1}
	want := "closed loop, 1s: 3 calls made, 3 ok, 0 failed\ngoodput 3 calls/s\n2 streams, 0 ended; answers: 0 duplicate, 0 unknown, 0 out of order, 1 late"
	for about, c := range map[string]struct {
		printed any
		want    string
	}{
		"a value":                  {res, want},
		"a pointer":                {&res, want},
		"nothing, beside an error": {(*streams.Result)(nil), "<nil>"},
	} {
		assert.Equal(t, c.want, fmt.Sprint(c.printed), about)
		assert.Equal(t, c.want, fmt.Sprintf("%v", c.printed), about)
	}
}

// silent is a stream whose answers bring numbers of nothing.
type silent struct{ *pipe }

func (s silent) Recv() (uint64, error) {
	_, err := s.pipe.Recv()
	return 1 << 60, err
}

// TestAMatcherThatNeverMatches: every message fails, and a warning says why.
func TestAMatcherThatNeverMatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipe(&server{service: time.Millisecond})
		defer p.close()
		load, err := streams.New(streams.Config{}, silent{p})
		require.NoError(t, err)
		res, err := load.Run(t.Context(), loadgen.Config{Schedule: loadgen.Constant(100), Calls: 50, RuntimeTimers: true})
		require.NoError(t, err)
		assert.EqualValues(t, 50, res.Failed)
		assert.EqualValues(t, 50, res.Unknown)
		assert.ErrorIs(t, errors.Join(res.Warnings...), streams.ErrUnknown)
		assert.ErrorIs(t, errors.Join(res.Warnings...), loadgen.ErrUnfinished)
	})
}

// stuck is a stream that takes no message until it is released.
type stuck struct {
	*pipe
	release chan struct{}
}

func (s stuck) Send(number uint64) error {
	<-s.release
	return s.pipe.Send(number)
}

// TestFlowControlHoldsUpItsOwnStreamAlone: one of four streams blocks for half a second.
func TestFlowControlHoldsUpItsOwnStreamAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, closeAll := pipes(4, &server{service: time.Millisecond})
		defer closeAll()
		release := make(chan struct{})
		time.AfterFunc(time.Second/2, func() { close(release) })
		all := append([]streams.Stream{stuck{list[0].(*pipe), release}}, list[1:]...)
		load, err := streams.New(streams.Config{}, all...)
		require.NoError(t, err)
		res, err := load.Run(t.Context(), loadgen.Config{Schedule: loadgen.Constant(1000), Duration: time.Second, RuntimeTimers: true})
		require.NoError(t, err)
		assert.EqualValues(t, 1000, res.OK)
		assert.Zero(t, res.Lag.Max(), "blocked is no lag")
		assert.InEpsilon(t, time.Second/2, res.Blocked.Max(), .002)
		assert.Zero(t, res.Blocked.Quantile(.85), "of the other streams")
		assert.InDelta(t, 125, res.MaxBacklog, 1)
	})
}

// TestWorkersForEveryBlockedStream: most of 200 streams block, and the others do not wait
// for them, though a run starts with few workers.
func TestWorkersForEveryBlockedStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, closeAll := pipes(200, &server{service: time.Millisecond})
		defer closeAll()
		release := make(chan struct{})
		time.AfterFunc(time.Second/2, func() { close(release) })
		all := append([]streams.Stream(nil), list...)
		for i := range 150 {
			all[i] = stuck{list[i].(*pipe), release}
		}
		load, err := streams.New(streams.Config{}, all...)
		require.NoError(t, err)
		res, err := load.Run(t.Context(), loadgen.Config{Schedule: loadgen.Constant(10_000), Duration: time.Second, RuntimeTimers: true})
		require.NoError(t, err)
		assert.EqualValues(t, 10_000, res.OK)
		assert.Zero(t, res.Lag.Max(), "blocked is no lag")
		assert.InEpsilon(t, time.Second/2, res.Blocked.Max(), .001)
		const free = .5 + .5*50/200 // half of the time all are, else 50 of 200
		assert.Zero(t, res.Blocked.Quantile(free-.01))
		assert.NotZero(t, res.Blocked.Quantile(free+.01))
	})
}
