package streams

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

var configurations = flag.Int("configurations", 500, "how many random configurations to run; a quarter of them with -short or the race detector")

// TestRandomConfigurations runs loads over streams that end, stall, lose, repeat and
// reorder messages, in fake time, and compares what Run returns with counts of the
// streams.
func TestRandomConfigurations(t *testing.T) {
	n := uint64(*configurations)
	if raceDetector || testing.Short() {
		n /= 4
	}
	for seed := range n {
		l := newRandomLoad(seed)
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, l.run)
			if t.Failed() {
				t.Logf("again: -run '^TestRandomConfigurations$' -configurations=%d", seed+1)
			}
		})
	}
}

// randomLoad is a load drawn by a seed.
type randomLoad struct {
	name   string
	random *rand.Rand
	cfg    Config
	run1   loadgen.Config
	rate   float64
	closed bool
	cancel time.Duration // 0 for never
	runs   int
	list   []*faulty
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func newRandomLoad(seed uint64) *randomLoad {
	r := rand.New(rand.NewPCG(seed, 3))
	l := &randomLoad{random: r, runs: 1 + r.IntN(3), closed: r.IntN(8) == 0}
	l.cfg = Config{Matching: pick(r, ByNumber, ByNumber, ByNumber, InOrder, UpTo), Window: pick(r, 0, 0, 0, 1, 4, 64)}
	l.cfg.Unordered = l.cfg.Matching == ByNumber && r.IntN(2) == 0
	l.rate = pick(r, 100.0, 1000, 1000, 10_000)
	l.run1 = loadgen.Config{
		Schedule: loadgen.Constant(l.rate), RuntimeTimers: true, Workers: pick(r, 1, 3, 20),
		Duration: pick(r, 0, 50*time.Millisecond, 300*time.Millisecond), Warmup: pick(r, 0, 0, 0, 20*time.Millisecond),
		Drain: pick(r, -1, time.Millisecond, 50*time.Millisecond, 300*time.Millisecond), Timeout: pick(r, 0, 0, 20*time.Millisecond),
		Interval: pick(r, 0, 20*time.Millisecond),
	}
	if l.closed { // where all streams have ended, calls fail without end and take no fake time
		l.run1.Duration, l.run1.Warmup = 0, 0
	}
	if l.run1.Duration == 0 {
		l.run1.Calls = pick(r, int64(1), 50, 1000)
	}
	l.cancel = pick(r, 0, 0, 0, 30*time.Millisecond)
	if l.closed {
		l.run1.Schedule = loadgen.ClosedLoop
	} else if r.IntN(3) == 0 {
		l.run1.MaxLag, l.run1.MaxBacklog = pick(r, 0, 5*time.Millisecond), pick(r, int64(0), 20)
	}
	faults := pick(r, 0, 0, 30, 200)
	for i := range pick(r, 1, 2, 5, 40) {
		l.list = append(l.list, newFaulty(seed, uint64(i), faults))
	}
	l.name = fmt.Sprintf("%d/%v/streams=%d/window=%d/faults=%d/rate=%v/closed=%v/timeout=%v/runs=%d",
		seed, l.cfg.Matching, len(l.list), l.cfg.Window, faults, l.rate, l.closed, l.run1.Timeout, l.runs)
	return l
}

// run makes the runs and checks them.
func (l *randomLoad) run(t *testing.T) {
	list := make([]Stream, len(l.list))
	for i, s := range l.list {
		s.open()
		list[i] = s
	}
	load, err := New(l.cfg, list...)
	require.NoError(t, err)
	ok := l.runAll(t, load)
	if l.run1.Warmup == 0 && !l.closed && l.cfg.Matching != UpTo {
		c := load.courier.tally.now()
		assert.Equal(t, l.received(), ok+c.duplicates+c.unknown+c.late, "every answer is counted once")
	}
}

// runAll makes all runs, closes the streams and returns how many messages were answered.
func (l *randomLoad) runAll(t *testing.T, load *Load) (ok int64) {
	defer func() {
		for _, s := range l.list {
			s.close()
		}
		time.Sleep(2 * time.Second) // for what the servers have under way
	}()
	for range l.runs {
		ok += l.runOnce(t, load)
	}
	return ok
}

func (l *randomLoad) sum(of func(s *faulty) int64) (n int64) {
	for _, s := range l.list {
		n += of(s)
	}
	return n
}

func (l *randomLoad) sent() int64 { return l.sum(func(s *faulty) int64 { return s.sent.Load() }) }

func (l *randomLoad) received() int64 {
	return l.sum(func(s *faulty) int64 { return s.received.Load() })
}

func (l *randomLoad) runOnce(t *testing.T, load *Load) (ok int64) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if l.cancel > 0 {
		defer time.AfterFunc(l.cancel, cancel).Stop()
	}
	start, before := time.Now(), l.sent()
	ended, _ := load.Ended()
	res, err := load.Run(ctx, l.run1)
	require.NotNil(t, res, "%v", err)
	if l.cancel == 0 && !l.closed {
		require.NoError(t, err)
	}
	l.check(t, res, err == nil, l.sent()-before, ended)
	assert.Less(t, time.Since(start), l.run1.Warmup+max(l.run1.Duration, 10*time.Second)+3*time.Second, "the run ends")
	return res.OK
}

func (l *randomLoad) check(t *testing.T, res *Result, whole bool, sent int64, ended int) {
	assert.Equal(t, res.Sent, res.OK+res.Failed, "sent is ok + failed")
	assert.Equal(t, res.Due, res.Sent+res.Dropped, "due is sent + dropped")
	points := int64(0)
	for _, p := range res.Series {
		points += p.OK + p.Failed
	}
	assert.Equal(t, res.Sent, points, "the series adds up")
	assert.LessOrEqual(t, res.Full, res.Due+int64(l.run1.Warmup.Seconds()*l.rate)+1)
	data, err := json.Marshal(res.Result)
	require.NoError(t, err)
	if res.Elapsed > 0 { // fake servers may answer in no time
		require.NoError(t, json.Unmarshal(data, new(loadgen.Result)), "it can be read again")
	}
	if l.closed {
		return
	}
	if whole {
		assert.Equal(t, l.asked(), res.Due, "due is what the schedule asked for")
	}
	if l.run1.Warmup > 0 {
		return
	}
	assert.LessOrEqual(t, sent, res.Sent, "what was sent is counted")
	assert.LessOrEqual(t, res.Sent-sent, res.Failed, "what was not sent has failed")
	assert.LessOrEqual(t, res.Blocked.Count(), res.Due)
	if res.Ended == 0 {
		assert.Equal(t, sent, res.Sent, "sent is what was given to Send")
		assert.GreaterOrEqual(t, res.Blocked.Count(), res.Sent, "it is known how long each was held up")
	}
	_ = ended
}

// asked returns how many messages the schedule has.
func (l *randomLoad) asked() int64 {
	if l.run1.Calls > 0 {
		return l.run1.Calls
	}
	end, begin := (l.run1.Warmup + l.run1.Duration).Seconds(), l.run1.Warmup.Seconds()
	return int64(math.Ceil(end*l.rate-1e-9)) - int64(math.Ceil(begin*l.rate-1e-9))
}

// faulty is a stream whose server makes mistakes.
type faulty struct {
	seed, index uint64
	faults      int // one message in this number has each kind of fault; 0 for none
	slow        time.Duration

	sent, received atomic.Int64
	in, out        chan uint64
	noSend, noRecv chan struct{} // closed when Send and Recv return errors
	endSend        func()
	endRecv        func()
	stopped        chan struct{}
}

func newFaulty(seed, index uint64, faults int) *faulty {
	return &faulty{seed: seed, index: index, faults: faults}
}

// open starts the server of the stream.
func (s *faulty) open() {
	r := rand.New(rand.NewPCG(s.seed, 100+s.index))
	s.slow = pick(r, 0, 0, 0, time.Millisecond, 10*time.Millisecond)
	s.in, s.out = make(chan uint64, pick(r, 1, 10, 1000)), make(chan uint64, 100)
	s.noSend, s.noRecv, s.stopped = make(chan struct{}), make(chan struct{}), make(chan struct{})
	s.endSend, s.endRecv = sync.OnceFunc(func() { close(s.noSend) }), sync.OnceFunc(func() { close(s.noRecv) })
	go s.serve(r)
}

func (s *faulty) close() {
	s.endSend()
	s.endRecv()
	close(s.stopped)
}

var errReset = errors.New("connection reset by peer")

func (s *faulty) Send(number uint64) error {
	s.sent.Add(1)
	select {
	case <-s.noSend:
		return errReset
	default:
	}
	select {
	case s.in <- number:
		return nil
	case <-s.noSend:
		return errReset
	}
}

func (s *faulty) Recv() (uint64, error) {
	select {
	case <-s.noRecv:
		return 0, io.EOF
	case number := <-s.out:
		s.received.Add(1)
		return number, nil
	}
}

// serve answers messages until the stream is closed.
func (s *faulty) serve(r *rand.Rand) {
	for {
		select {
		case <-s.stopped:
			return
		case number := <-s.in:
			time.Sleep(s.slow)
			s.answer(r, number)
		}
	}
}

// answer makes one of the mistakes, or none.
func (s *faulty) answer(r *rand.Rand, number uint64) {
	fault := math.MaxInt
	if s.faults > 0 {
		fault = r.IntN(s.faults * 10)
	}
	switch {
	case fault < 10: // lost
		return
	case fault < 20:
		s.reply(number)
	case fault < 30:
		s.reply(r.Uint64N(1 << 20))
	case fault < 40: // late, and out of order
		time.AfterFunc(pick(r, time.Millisecond, 25*time.Millisecond, time.Second), func() { s.reply(number) })
		return
	case fault < 50: // the server stands still
		time.Sleep(pick(r, 5*time.Millisecond, 100*time.Millisecond))
	case fault == 50:
		s.endSend()
		s.endRecv()
	case fault == 51: // half-closed by the peer
		s.endRecv()
	case fault == 52:
		s.endSend()
	case fault == 53: // reads no more
		<-s.stopped
		return
	}
	s.reply(number)
}

func (s *faulty) reply(number uint64) {
	select {
	case s.out <- number:
	case <-s.noRecv:
	case <-s.stopped:
	}
}
