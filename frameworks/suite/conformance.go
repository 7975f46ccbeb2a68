package suite

import (
	"context"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Conformance proves, before any speed figure, that every variant does the
// same work: each runs its server in a process of its own, as in a benchmark.
func Conformance(t *testing.T) {
	if !env.ready {
		t.Fatal(hint)
	}
	for _, v := range env.variants {
		t.Run(v.ID(), func(t *testing.T) { conform(t, v) })
	}
}

// subject is a variant under test.
type subject struct {
	target
	server server
}

// enough is a wide bound for what should take a moment on a busy machine.
const enough = 20 * time.Second

func conform(t *testing.T, v target) {
	if raceDetector && v.Races.Calls != "" {
		t.Skip("under the race detector: ", v.Races.Calls)
	}
	if v.given != "" {
		require.NoError(t, benchCase{suite: echo, v: v, leaf: echoLeaf(1, 1)}.try(), v.place())
	}
	server, err := startServer(t.Context(), v, "", network{})
	require.NoError(t, err)
	t.Cleanup(func() { server.Stop() })
	s := subject{v, server}
	t.Run("connections", s.keepsToTheBudget) // the first: others may leave some open
	t.Run("echo", s.echoes)
	t.Run("limit", s.namesItsLimit)
	t.Run("concurrent", s.keepsRepliesApart)
	t.Run("deadline", s.returnsInTime)
	if v.Async {
		t.Run("asynchronous", s.echoesAsync)
	}
	if v.Kind == framework.Fields {
		t.Run("message", s.answersMessage)
	}
	if v.Streams {
		t.Run("streams", s.streams)
	}
	t.Run("transfers", s.transfers)
	if v.DialAll != nil && v.given == "" {
		t.Run("several servers", s.usesAllServers)
	}
	if v.Kind != framework.Bare {
		t.Run("handler error", s.reportsHandlerErrors)
		t.Run("unknown method", s.reportsUnknownMethods)
	}
	if v.given == "" {
		t.Run("server stopped", s.failsWithoutServer) // the last: it stops it
	}
}

func (s subject) dial(t *testing.T, callers int) framework.Client {
	c, err := s.Dial(s.server.Addr(), framework.DialOptions{Conns: 10, Callers: callers})
	require.NoError(t, err)
	if !s.racy() {
		t.Cleanup(func() { c.Close() })
	}
	return c
}

// racy is whether the race detector would report the framework's own races.
func (s subject) racy() bool { return raceDetector && s.Races.Ending != "" }

func (s subject) skipRacy(t *testing.T) {
	if s.racy() {
		t.Skip("under the race detector: ", s.Races.Ending)
	}
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func (s subject) echoes(t *testing.T) {
	c := s.dial(t, 1)
	for _, size := range []int{0, 1, 1 << 10, 4 << 20} {
		if s.Fits(size) != nil {
			size = s.MaxMessage
		}
		requests := echoRequests(1, size, uint64(size))
		call := c.Echo(requests, checkAll(requests))
		assert.NoError(t, call(within(t, enough), 0), "%d bytes, with a deadline", size)
		assert.NoError(t, call(context.Background(), 0), "%d bytes, without", size)
	}
}

// namesItsLimit makes the call too where that is cheap: limits of many MiB
// are enforced by the suite.
func (s subject) namesItsLimit(t *testing.T) {
	if s.MaxMessage == 0 {
		return
	}
	for _, named := range []string{s.ID(), strconv.Itoa(s.MaxMessage) + " bytes", strconv.Itoa(s.MaxMessage+1) + " bytes"} {
		assert.ErrorContains(t, s.Fits(s.MaxMessage+1), named)
	}
	assert.NoError(t, s.Fits(s.MaxMessage))
	if s.MaxMessage < 4<<20 {
		requests := echoRequests(1, s.MaxMessage+1, 1)
		err := s.dial(t, 1).Echo(requests, checkAll(requests))(within(t, enough), 0)
		assert.ErrorContains(t, err, strconv.Itoa(s.MaxMessage))
	}
}

// keepsToTheBudget counts what is open after calls by more callers than there
// are shared connections.
func (s subject) keepsToTheBudget(t *testing.T) {
	const callers, shared = 30, 10
	call := echoCall(s.dial(t, callers), callers, 1<<10)
	res, err := loadgen.Run(t.Context(), loadgen.Config{Workers: callers, Calls: 100 * callers, Schedule: loadgen.ClosedLoop}, call)
	require.NoError(t, err)
	require.Zero(t, res.Failed, loadbench.Failures(res))
	n, err := connections(s.server.Addr(), os.Getpid())
	if err != nil {
		t.Skip(err)
	}
	switch s.Sharing {
	case framework.Pooled:
		assert.LessOrEqual(t, n, callers)
		assert.Positive(t, n)
	case framework.Short:
		assert.LessOrEqual(t, n, callers) // of calls that have ended, some may still be closing
	default:
		assert.Equal(t, shared, n)
	}
}

// echoesAsync has more workers than connections, each with a payload of its
// own, and calls that a server does not answer in time.
func (s subject) echoesAsync(t *testing.T) {
	const workers = 100
	requests := echoRequests(workers, 1<<10, 1)
	call := as[framework.AsyncClient](t, s.dial(t, workers)).EchoAsync(requests, checkAll(requests))
	run := func(cfg loadgen.Config) *loadgen.Result {
		cfg.Workers, cfg.Schedule = workers, loadgen.ClosedLoop
		res, err := loadgen.RunAsync(t.Context(), cfg, call)
		require.NoError(t, err)
		return res
	}
	res := run(loadgen.Config{Calls: 50 * workers, Timeout: 3 * enough})
	assert.EqualValues(t, 50*workers, res.OK, loadbench.Failures(res))
	if s.racy() || s.server.Pause() != nil {
		return
	}
	res = run(loadgen.Config{Calls: workers, Timeout: 200 * time.Millisecond, Drain: enough})
	require.NoError(t, s.server.Resume())
	assert.EqualValues(t, workers, res.Failed, "the server was stopped")
	assert.Less(t, res.Elapsed, enough, "calls ended by their context")
	res = run(loadgen.Config{Calls: 10 * workers, Timeout: 3 * enough})
	assert.EqualValues(t, 10*workers, res.OK, "after the server went on: %s", loadbench.Failures(res))
}

// usesAllServers wants calls to arrive at both of two servers.
func (s subject) usesAllServers(t *testing.T) {
	const callers = 20
	second, err := startServer(t.Context(), s.target, "", network{})
	require.NoError(t, err)
	t.Cleanup(func() { second.Stop() })
	c, err := s.DialAll([]string{s.server.Addr(), second.Addr()}, framework.DialOptions{Conns: 2, Callers: callers})
	require.NoError(t, err)
	if !s.racy() {
		defer c.Close()
	}
	use := []*usage{{hosts: []server{s.server}}, {hosts: []server{second}}}
	for _, u := range use {
		u.start()
	}
	res, err := loadgen.Run(t.Context(), loadgen.Config{Workers: callers, Calls: 10_000, Schedule: loadgen.ClosedLoop}, echoCall(c, callers, 64))
	require.NoError(t, err)
	assert.Zero(t, res.Failed, loadbench.Failures(res))
	for _, u := range use {
		u.stop()
		assert.NoError(t, u.err)
		assert.Greater(t, u.figures.Allocs, int64(1000), "10,000 calls allocate more than that for a tenth of them")
	}
}

// keepsRepliesApart gives each of many workers a payload of its own. Fewer where
// calls may not wait as long as they would on a busy machine: under the race
// detector 100 to a connection wait for most of a minute.
func (s subject) keepsRepliesApart(t *testing.T) {
	workers := 1000
	if raceDetector || s.CallLimit > 0 {
		workers = 300
	}
	requests := echoRequests(workers, 1<<10, 1)
	call := s.dial(t, workers).Echo(requests, checkAll(requests))
	res, err := loadgen.Run(t.Context(), loadgen.Config{
		Workers: workers, Calls: int64(10 * workers), Schedule: loadgen.ClosedLoop, Timeout: 3 * enough,
	}, call)
	require.NoError(t, err)
	assert.Zero(t, res.Failed, loadbench.Failures(res))
	assert.EqualValues(t, 10*workers, res.OK)
}

// returnsInTime stops the server's process for a while. Afterwards the late
// reply must not be taken for that of the next call.
func (s subject) returnsInTime(t *testing.T) {
	s.skipRacy(t)
	requests := echoRequests(2, 1<<10, 1)
	call := s.dial(t, 2).Echo(requests, checkAll(requests))
	require.NoError(t, call(within(t, enough), 0))
	if err := s.server.Pause(); err != nil {
		t.Skip(err)
	}
	begin := time.Now()
	err := call(within(t, 200*time.Millisecond), 0)
	took := time.Since(begin)
	require.NoError(t, s.server.Resume())
	assert.Error(t, err, "the server was stopped")
	assert.Less(t, took, enough)
	for range 10 {
		assert.NoError(t, call(within(t, enough), 1), "after the server went on")
	}
}

// as asserts what a variant says of its client.
func as[P framework.Client](t *testing.T, c framework.Client) P {
	p, err := framework.As[P](c)
	require.NoError(t, err)
	return p
}

func (s subject) answersMessage(t *testing.T) {
	checked := false
	call := as[framework.MessageClient](t, s.dial(t, 1)).Message(1, func(worker int, field1 string, field2 int32, reply any) error {
		checked = true
		if r, ok := reply.(framework.Structured); ok {
			reply = r.Struct()
		}
		assert.Equal(t, wantedAnswer(reply), framework.FieldsOf(reply))
		return framework.CheckAnswer(worker, field1, field2, reply)
	})
	assert.NoError(t, call(within(t, enough), 0))
	assert.True(t, checked, "the reply was not given to the check")
}

// wantedAnswer is what the fields of reply's type must hold.
func wantedAnswer(reply any) map[string]any {
	filled := reflect.New(reflect.TypeOf(reply).Elem()).Interface()
	framework.Fill(filled)
	fields := framework.FieldsOf(filled)
	fields["Field1"], fields["Field2"] = framework.AnswerField1, int32(framework.AnswerField2)
	return fields
}

func (s subject) reportsHandlerErrors(t *testing.T) {
	requests := []framework.EchoMessage{{Action: framework.ActionFail}}
	call := s.dial(t, 1).Echo(requests, checkAll(requests))
	for range 3 {
		assert.ErrorContains(t, call(within(t, enough), 0), framework.ErrAsked.Error())
	}
	assert.NoError(t, echoCall(s.dial(t, 1), 1, 1)(within(t, enough), 0), "the server goes on")
}

func (s subject) reportsUnknownMethods(t *testing.T) {
	c := as[framework.MethodClient](t, s.dial(t, 1))
	assert.Error(t, c.CallUnknown(within(t, enough)))
	assert.NoError(t, echoCall(c, 1, 1)(within(t, enough), 0), "the connection goes on")
}

// failsWithoutServer wants an error well before the deadline, both on a
// connection that has just been lost and later.
func (s subject) failsWithoutServer(t *testing.T) {
	s.skipRacy(t)
	call := echoCall(s.dial(t, 1), 1, 1<<10)
	require.NoError(t, call(within(t, enough), 0))
	require.NoError(t, s.server.Stop())
	for i := range 3 {
		ctx := within(t, enough)
		assert.Error(t, call(ctx, 0), "call %d", i)
		assert.NoError(t, ctx.Err(), "call %d hung", i)
		time.Sleep(10 * time.Millisecond)
	}
	assert.NoError(t, s.server.Err(), "it was asked to stop")
}
