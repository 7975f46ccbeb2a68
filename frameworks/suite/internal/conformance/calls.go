package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/relay"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
	"github.com/rpcbench/rpcbench/loadgen"
)

// isWhatItPromises compares what a variant says of its client with the client. What a client
// has and its variant does not promise would not be measured.
func (s subject) isWhatItPromises(t tester.T) {
	c := s.dial(t, 1)
	promised := map[string]bool{
		"MethodClient":  s.Kind != framework.Bare,
		"MessageClient": s.Kind == framework.Fields,
		"AsyncClient":   s.Async,
		"StreamClient":  s.Streams,
	}
	is := map[string]bool{}
	_, is["MethodClient"] = c.(framework.MethodClient)
	_, is["MessageClient"] = c.(framework.MessageClient)
	_, is["AsyncClient"] = c.(framework.AsyncClient)
	_, is["StreamClient"] = c.(framework.StreamClient)
	assert.Equal(t, promised, is, "by Kind, Async and Streams")
	assert.NotRegexp(t, `-\d+$`, s.ID(), "benchstat takes a number at the end of a name for GOMAXPROCS")
}

func (s subject) echoes(t tester.T) {
	c := s.dial(t, 1)
	for _, size := range []int{0, 1, small, s.large()} {
		if s.Fits(size) != nil {
			size = s.MaxMessage
		}
		requests := []framework.EchoMessage{{Action: handler.ActionEcho, Msg: call.RandomBytes(size, uint64(size))}}
		echo := c.Echo(requests, call.CheckAll(requests))
		assert.NoError(t, s.inTime(t, echo), "%d bytes, with a deadline", size)
		for i := range min(size, s.changes(size)) { // as between the calls of a benchmark
			requests[0].Msg[i]++
			assert.NoError(t, s.insists(context.Background, echo), "%d bytes, byte %d changed", size, i)
		}
		if size <= small { // others take long, and would not fail alone
			requests[0].Msg = call.RandomBytes(size, 1)
			assert.NoError(t, echo(context.Background(), 0), "%d bytes of other memory", size)
		}
	}
}

// inTime makes a call with a deadline.
func (s subject) inTime(t tester.T, echo loadgen.Call) error {
	return s.insists(func() context.Context { return tester.Within(t, s.enough) }, echo)
}

// insists makes a call. A framework with a limit of its own for the time of a call is asked up
// to five times: on a busy machine a large call may exceed that limit. A wrong reply ends it.
func (s subject) insists(within func() context.Context, echo loadgen.Call) (err error) {
	tries := 1
	if s.CallLimit > 0 {
		tries = 5
	}
	for range tries {
		if err = echo(within(), 0); err == nil || errors.Is(err, call.ErrWrongReply) {
			break
		}
	}
	return err
}

// small is the size of an ordinary message.
const small = 1 << 10

// changes is how many of the first bytes of a payload are changed, each before a call of its
// own. It is one byte of a large payload, whose calls take long.
func (subject) changes(size int) int {
	if size > small {
		return 1
	}
	return 8
}

// large is the size of a large message. The race detector makes gzip thirty times as slow,
// and JSON too; what is shared it finds by smaller ones.
func (subject) large() int {
	if race.Enabled {
		return 256 << 10
	}
	return 4 << 20
}

// namesItsLimit wants errors about larger messages that name the limit. It makes a call only if
// the limit is small; the suite itself enforces limits of many MiB.
func (s subject) namesItsLimit(t tester.T) {
	if s.MaxMessage == 0 {
		return
	}
	for _, named := range []string{s.ID(), strconv.Itoa(s.MaxMessage) + " bytes", strconv.Itoa(s.MaxMessage+1) + " bytes"} {
		assert.ErrorContains(t, s.Fits(s.MaxMessage+1), named)
	}
	assert.NoError(t, s.Fits(s.MaxMessage))
	if s.MaxMessage < 4<<20 {
		requests := call.EchoRequests(1, s.MaxMessage+1)
		err := s.dial(t, 1).Echo(requests, call.CheckAll(requests))(tester.Within(t, s.enough), 0)
		assert.ErrorContains(t, err, strconv.Itoa(s.MaxMessage))
	}
}

// keepsToTheBudget counts the open connections after calls by more callers than there are
// shared connections.
func (s subject) keepsToTheBudget(t tester.T) {
	const callers = 30
	addr, open := s.watched(t)
	c, err := s.Dial(addr, framework.DialOptions{Conns: s.shared(), Callers: callers, Patience: s.enough})
	require.NoError(t, err)
	end := sync.OnceFunc(func() { c.Close() })
	if !s.racy() {
		t.Cleanup(end)
	}
	call := tester.Call(c, callers, 1<<10)
	res, err := loadgen.Run(t.Context(), loadgen.Config{Workers: callers, Calls: 20 * callers, Schedule: loadgen.ClosedLoop}, call)
	require.NoError(t, err)
	require.Zero(t, res.Failed, res.Failures())
	n, err := open()
	if err != nil {
		t.Skip(err)
	}
	switch s.Sharing {
	case framework.Pooled:
		assert.LessOrEqual(t, n, callers)
		assert.Positive(t, n)
	case framework.Short: // of calls that have ended, some may still be closing
		s.endsWithNone(t, open, "a call left its connection open")
	default:
		assert.Equal(t, s.shared(), n)
	}
	if s.racy() || s.StaysOpen {
		return
	}
	end() // whose error some make of connections that the peer has closed
	s.endsWithNone(t, open, "Close left connections open")
	runtime.KeepAlive(c) // the collector closes the connections of a client that nobody has
}

// endsWithNone waits until no connection to the server is open.
func (s subject) endsWithNone(t tester.T, open func() (int, error), otherwise string) {
	none := func() bool { n, err := open(); return err == nil && n == 0 }
	assert.Eventually(t, none, s.enough, 50*time.Millisecond, otherwise)
}

// watched returns an address of the server, and how many connections this process has to it. The
// kernel knows no peer of a client's UDP socket, so that a relay tells which are to it.
func (s subject) watched(t tester.T) (addr string, open func() (int, error)) {
	if !s.Datagrams {
		return s.server.Addr(), func() (int, error) { return sockets.Connections(s.server.Addr(), os.Getpid()) }
	}
	r := s.relayed(t, relay.Straight)
	return r.Addr(), func() (n int, err error) {
		mine, err := sockets.UDP(os.Getpid())
		for _, port := range r.Clients() {
			if slices.Contains(mine, port) {
				n++
			}
		}
		return n, err
	}
}

// worksOverAUnixSocket repeats what may depend on the kind of connection.
func (s subject) worksOverAUnixSocket(t tester.T) {
	s.server = s.startOver(t, plan.Network{Unix: true})
	s.keepsToTheBudget(t)
	s.echoes(t)
	if s.Kind == framework.Fields {
		s.answersMessage(t)
	}
	s.failsWithoutServer(t)
}

// echoesAsync has more workers than connections, each with a payload of its
// own, and calls that a server does not answer in time.
func (s subject) echoesAsync(t tester.T) {
	const workers = 100
	requests := call.EchoRequests(workers, 1<<10)
	call, check := call.KeptAsync(as[framework.AsyncClient](t, s.dial(t, workers)), requests)
	run := func(cfg loadgen.Config) *loadgen.Result {
		cfg.Workers, cfg.Schedule, cfg.Check = workers, loadgen.ClosedLoop, check
		res, err := call.Run(t.Context(), cfg)
		require.NoError(t, err)
		return res
	}
	res := run(loadgen.Config{Calls: 10 * workers, Timeout: 3 * s.enough, Drain: 3 * s.enough})
	assert.EqualValues(t, 10*workers, res.OK, res.Failures())
	if s.racy() || s.server.Pause() != nil {
		return
	}
	res = run(loadgen.Config{Calls: workers, Timeout: 200 * time.Millisecond, Drain: s.enough})
	require.NoError(t, s.server.Resume())
	assert.EqualValues(t, workers, res.Failed, "the server was stopped")
	assert.Less(t, res.Elapsed, s.enough, "calls ended by their context")
	res = run(loadgen.Config{Calls: 3 * workers, Timeout: 3 * s.enough, Drain: 3 * s.enough})
	assert.EqualValues(t, 3*workers, res.OK, "after the server went on: %s", res.Failures())
}

// usesAllServers wants calls to arrive at both of two servers, of the recommended variant by
// each policy.
func (s subject) usesAllServers(t tester.T) {
	second := s.start(t)
	if !s.Recommended || len(s.Policies) == 0 {
		s.usesBoth(t, second, s.DialAll, nil)
		return
	}
	for _, p := range s.Policies {
		t.Run(p.Name, func(t tester.T) {
			assert.Contains(t, plan.PolicyNames(), p.Name)
			assert.NotEmpty(t, p.About)
			var weights []int
			if p.Name == "weighted" {
				weights = []int{1, 10}
			}
			s.usesBoth(t, second, p.DialAll, weights)
		})
	}
}

// usesBoth wants most of the calls to arrive at the second server where that has more weight.
func (s subject) usesBoth(t tester.T, second *server.Server, dialAll func([]string, framework.DialOptions) (framework.Client, error), weights []int) {
	const callers = 20
	c, err := dialAll([]string{s.server.Addr(), second.Addr()}, framework.DialOptions{Conns: 2, Callers: callers, Patience: s.enough, Weights: weights})
	require.NoError(t, err)
	if !s.racy() {
		defer c.Close()
	}
	servers := []*server.Server{s.server, second}
	before := allocsOf(t, servers)
	res, err := loadgen.Run(t.Context(), loadgen.Config{Workers: callers, Calls: 1000, Schedule: loadgen.ClosedLoop}, tester.Call(c, callers, 64))
	require.NoError(t, err)
	assert.Zero(t, res.Failed, res.Failures())
	after := allocsOf(t, servers)
	for i, allocs := range after {
		assert.Greater(t, allocs-before[i], int64(100), "1,000 calls allocate more than that for a tenth of them")
	}
	if weights != nil {
		assert.Greater(t, after[1]-before[1], 2*(after[0]-before[0]), "it has ten times the weight")
	}
}

func allocsOf(t tester.T, servers []*server.Server) (list []int64) {
	for _, s := range servers {
		n, err := s.Allocs(t.Context())
		assert.NoError(t, err)
		list = append(list, n)
	}
	return list
}

// keepsRepliesApart gives each of many workers a payload of its own, and compares a
// reply only when its worker makes its next call: memory that a client has used again
// by then holds the reply to another worker. There are fewer workers under the race detector,
// and if the client limits how long a call takes, which is long on a busy machine.
func (s subject) keepsRepliesApart(t tester.T) {
	const rounds = 3
	workers := 1000
	if race.Enabled || s.CallLimit > 0 {
		workers = 300
	}
	kept := call.NewKept(s.dial(t, workers), call.EchoRequests(workers, 1<<10))
	called := make([]bool, workers) // on a busy machine some make the calls of others
	call := func(ctx context.Context, worker int) error {
		called[worker] = true
		return kept.Call(ctx, worker)
	}
	res, err := loadgen.Run(t.Context(), loadgen.Config{
		Workers: workers, Calls: int64(rounds * workers), Schedule: loadgen.ClosedLoop, Timeout: 3 * s.enough, Drain: 3 * s.enough,
	}, call)
	require.NoError(t, err)
	assert.Zero(t, res.Failed, res.Failures())
	assert.EqualValues(t, rounds*workers, res.OK)
	for worker := range workers {
		if called[worker] {
			require.NoError(t, kept.Compare(worker))
		}
	}
}

// returnsInTime stops the server's process for a while, and wants a call to end at its
// deadline. Afterwards the late reply must not be taken for the reply to the next call.
func (s subject) returnsInTime(t tester.T) {
	s.skipRacy(t)
	requests := call.EchoRequests(2, 1<<10)
	call := s.dial(t, 2).Echo(requests, call.CheckAll(requests))
	require.NoError(t, call(tester.Within(t, s.enough), 0))
	if err := s.server.Pause(); err != nil {
		t.Skip(err)
	}
	begin := time.Now()
	err := call(tester.Within(t, 200*time.Millisecond), 0)
	took := time.Since(begin)
	require.NoError(t, s.server.Resume())
	assert.Error(t, err, "the server was stopped")
	bound := 5 * time.Second
	if s.CallLimit > 0 {
		bound = min(bound, s.CallLimit*9/10) // some count it in coarse ticks
	}
	assert.Less(t, took, bound, "a limit of the client's own ended the call, not its deadline of 0.2 s")
	for range 10 {
		assert.NoError(t, call(tester.Within(t, s.enough), 1), "after the server went on")
	}
}

func (s subject) answersMessage(t tester.T) {
	s.skipLacking(t, call.MessageCase(s.Target))
	if s.Sent != nil {
		s.answersSent(t)
		return
	}
	checked := 0
	call := as[framework.MessageClient](t, s.dial(t, 1)).Message(1, func(worker int, field1 string, field2 int32, reply any) error {
		checked++
		if r, ok := reply.(message.Structured); ok {
			reply = r.Struct()
		}
		if wrong := differences(wantedAnswer(checked), fieldsOf(reply)); wrong != "" {
			assert.Fail(t, "the reply differs: "+wrong)
		}
		return call.CheckAnswer(field1, field2)
	})
	for range 2 {
		assert.NoError(t, call(tester.Within(t, s.enough), 0))
	}
	assert.Equal(t, 2, checked, "a reply was not given to the check")
}

// answersSent has two workers send messages that the variant has instead of the bench message.
// Their replies are compared whole.
func (s subject) answersSent(t tester.T) {
	const workers, calls = 2, 300
	job := call.PrepareSent(as[framework.MessageClient](t, s.dial(t, workers)), *s.Sent, workers, 1)
	for i := range workers * calls {
		require.NoError(t, job.Call(tester.Within(t, s.enough), i%workers))
		require.NoError(t, job.Check(i%workers))
	}
}

// wantedAnswer is what the fields of the reply to a call must hold, all of them.
func wantedAnswer(calls int) map[string]any {
	fields := fieldsOf(message.Filled[message.Bench](1)[0])
	fields[call.NumberedField] = message.Number(0, calls)
	fields["Field1"], fields["Field2"] = message.AnswerField1, int32(message.AnswerField2)
	return fields
}

// fieldsOf lists the scalar fields of a native bench message, given by pointer, by name. Those
// that are absent are zero.
func fieldsOf(native any) map[string]any {
	fields, v := map[string]any{}, reflect.ValueOf(native).Elem()
	for i := range v.NumField() {
		f, field := v.Field(i), v.Type().Field(i)
		if !field.IsExported() || f.Kind() == reflect.Slice {
			continue
		}
		if f.Kind() == reflect.Pointer && f.IsNil() {
			f = reflect.Zero(f.Type().Elem())
		}
		fields[field.Name] = reflect.Indirect(f).Interface()
	}
	return fields
}

// toldFields is how many fields that differ are told.
const toldFields = 5

// differences says in one line how the fields of a reply differ from what they must hold; ""
// if they do not.
func differences(want, got map[string]any) string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(want)), maps.Keys(got))
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) }) // Field9 comes before Field10
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return reflect.DeepEqual(want[name], got[name]) })
	var list []string
	for _, name := range names[:min(len(names), toldFields)] {
		list = append(list, fmt.Sprintf("%s: %s was sent, and %s came", name, told(want[name]), told(got[name])))
	}
	if more := len(names) - toldFields; more > 0 {
		list = append(list, fmt.Sprintf("and %d more fields", more))
	}
	return strings.Join(list, "; ")
}

// told shows the value of a field, or the beginning of a long text.
func told(value any) string {
	const most = 60
	if value == nil {
		return "nothing"
	}
	if text, ok := value.(string); ok {
		return fmt.Sprintf("%.*q", most, text)
	}
	return fmt.Sprintf("%v", value)
}

func (s subject) reportsHandlerErrors(t tester.T) {
	requests := []framework.EchoMessage{{Action: handler.ActionFail}}
	call := s.dial(t, 1).Echo(requests, call.CheckAll(requests))
	for range 3 {
		err := call(tester.Within(t, s.enough), 0)
		assert.ErrorContains(t, err, handler.ErrAsked.Error())
		assert.False(t, s.NotImplemented(err), "Variant.Unknown takes the error of a handler for one of a method that there is not")
	}
	assert.NoError(t, tester.Call(s.dial(t, 1), 1, 1)(tester.Within(t, s.enough), 0), "the server goes on")
}

func (s subject) reportsUnknownMethods(t tester.T) {
	c := as[framework.MethodClient](t, s.dial(t, 1))
	err := c.CallUnknown(tester.Within(t, s.enough))
	assert.Error(t, err)
	if s.Given == "" {
		assert.True(t, s.NotImplemented(err), "Variant.Unknown does not know the framework's own error: %v", err)
	}
	assert.NoError(t, tester.Call(c, 1, 1)(tester.Within(t, s.enough), 0), "the connection goes on")
}

// failsToConnect wants an error of Dial or of the first call. Nobody listens on its port,
// which is 1.
func (s subject) failsToConnect(t tester.T) {
	c, err := s.Dial("127.0.0.1:1", framework.DialOptions{Conns: 1, Callers: 1, Patience: time.Second})
	if err != nil {
		return
	}
	defer c.Close()
	assert.Error(t, tester.Call(c, 1, 1<<10)(tester.Within(t, time.Second), 0))
}

// failsWithoutServer wants an error well before the deadline, both on a
// connection that has just been lost and later.
func (s subject) failsWithoutServer(t tester.T) {
	s.skipRacy(t)
	call := tester.Call(s.dial(t, 1), 1, 1<<10)
	require.NoError(t, call(tester.Within(t, s.enough), 0))
	require.NoError(t, s.server.Stop())
	for i := range 3 {
		ctx := tester.Within(t, s.enough)
		assert.Error(t, call(ctx, 0), "call %d", i)
		assert.NoError(t, ctx.Err(), "call %d hung", i)
		time.Sleep(10 * time.Millisecond)
	}
	assert.NoError(t, s.server.Err(), "it was asked to stop")
}
