package server

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// control is what a test has of a server: its input and its output.
type control struct {
	address string
	in      *io.PipeWriter
	out     *json.Decoder
	ended   chan error
}

func serve(t *testing.T, j Job) *control {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &control{in: inW, out: json.NewDecoder(outR), ended: make(chan error, 1)}
	go func() {
		c.ended <- Serve(j, inR, outW)
		outW.Close()
	}()
	c.address = c.next(t).Ready
	require.NotEmpty(t, c.address)
	return c
}

func (c *control) next(t *testing.T) (m Message) {
	t.Helper()
	require.NoError(t, c.out.Decode(&m))
	return m
}

func (c *control) say(t *testing.T, line string) {
	t.Helper()
	_, err := io.WriteString(c.in, line+"\n")
	require.NoError(t, err)
}

// end ends the input, and with it the server.
func (c *control) end(t *testing.T) {
	t.Helper()
	c.in.Close()
	assert.NoError(t, <-c.ended)
}

// seen returns what the server has seen.
func (c *control) seen(t *testing.T) *Seen {
	t.Helper()
	go c.say(t, Report)
	m := c.next(t)
	require.NotNil(t, m.Seen)
	return m.Seen
}

// oneOf is a plan with one special call in each n.
func oneOf(kind planted.Kind, n int) planted.Plan {
	return planted.Plan{Kind: kind, Seed: 3, Base: time.Millisecond, OneOf: n}
}

func TestHTTP(t *testing.T) {
	for _, c := range []struct {
		about string
		plan  planted.Plan
		want  map[string]int // of 40 calls
		seen  Seen
	}{
		{"right answers", oneOf(planted.Plain, 0), map[string]int{"200 ok": 40}, Seen{}},
		{"two of each 20 are wrong", oneOf(planted.Wrong, 20), map[string]int{"200 ok": 36, "200 no": 2, "500 as planted": 2}, Seen{Failures: 2, OtherBodies: 2}},
		{"one of each 10 is dropped", oneOf(planted.Dropping, 10), map[string]int{"200 ok": 36, "EOF": 4}, Seen{Unanswered: 4}},
	} {
		s := serve(t, Job{tool.HTTP, c.plan})
		assert.Equal(t, "200 ok", post(s.address), "before the run: %s", c.about)
		go s.say(t, Begin)
		assert.Equal(t, Message{}, s.next(t), c.about)
		got := map[string]int{}
		for i := range 40 {
			got[post(s.address)]++
			if i == 0 {
				assert.NotNil(t, s.next(t).First, c.about)
			}
		}
		assert.Equal(t, c.want, got, c.about)
		checkSeen(t, c.seen, s.seen(t), c.about)
		s.end(t)
	}
}

// checkSeen compares what a server saw of 40 calls.
func checkSeen(t *testing.T, want Seen, got *Seen, about string) {
	t.Helper()
	assert.Len(t, got.Arrivals, 40, about)
	assert.Zero(t, got.Arrivals[0], about)
	assert.IsIncreasing(t, got.Arrivals, about)
	assert.Len(t, got.Late, 40, about)
	assert.Equal(t, [3]int64{want.Failures, want.OtherBodies, want.Unanswered}, [3]int64{got.Failures, got.OtherBodies, got.Unanswered}, about)
	assert.Equal(t, want.Failed(), got.Failed(), about)
}

// post makes a call and returns the status and the body, or the last word of the error.
func post(address string) string {
	reply, err := http.Post("http://"+address+"/", "text/plain", strings.NewReader("a call"))
	if err != nil {
		words := strings.Fields(err.Error())
		return words[len(words)-1]
	}
	defer reply.Body.Close()
	body, _ := io.ReadAll(reply.Body)
	return reply.Status[:3] + " " + strings.TrimSpace(string(body))
}

func TestGRPC(t *testing.T) {
	for _, c := range []struct {
		about string
		plan  planted.Plan
		want  map[string]int // of 40 calls
		seen  Seen
	}{
		{"right answers", oneOf(planted.Plain, 0), map[string]int{"SERVING": 40}, Seen{}},
		{"two of each 20 are wrong", oneOf(planted.Wrong, 20), map[string]int{"SERVING": 36, "NOT_SERVING": 2, "Internal": 2}, Seen{Failures: 2, OtherBodies: 2}},
		{"one of each 10 is dropped", oneOf(planted.Dropping, 10), map[string]int{"SERVING": 36, "Unavailable": 4}, Seen{Unanswered: 4}},
	} {
		s := serve(t, Job{tool.GRPC, c.plan})
		conn, err := grpc.NewClient(s.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
		require.NoError(t, err)
		assert.Equal(t, "SERVING", check(conn), "before the run: %s", c.about)
		go s.say(t, Begin)
		assert.Equal(t, Message{}, s.next(t), c.about)
		got := map[string]int{}
		for i := range 40 {
			got[check(conn)]++
			if i == 0 {
				assert.NotNil(t, s.next(t).First, c.about)
			}
		}
		assert.Equal(t, c.want, got, c.about)
		checkSeen(t, c.seen, s.seen(t), c.about)
		conn.Close()
		s.end(t)
	}
}

// TestDroppedTogether: all calls of a connection that is closed are without an answer.
func TestDroppedTogether(t *testing.T) {
	const calls = 30
	plan := oneOf(planted.Dropping, calls)
	plan.Base = 3 * time.Second // in which all calls come, however busy the machine is
	s := serve(t, Job{tool.GRPC, plan})
	conn, err := grpc.NewClient(s.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer conn.Close()
	assert.Equal(t, "SERVING", check(conn))
	go s.say(t, Begin)
	s.next(t)
	var failed atomic.Int64
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			if check(conn) != "SERVING" {
				failed.Add(1)
			}
		})
	}
	assert.NotNil(t, s.next(t).First)
	all.Wait()
	unanswered := func() int64 { return s.seen(t).Unanswered }
	assert.Eventually(t, func() bool { return unanswered() > 1 }, 10*time.Second, 10*time.Millisecond)
	assert.LessOrEqual(t, unanswered(), failed.Load(), "an answer may be lost on its way")
	s.end(t)
}

func TestBadJobs(t *testing.T) {
	assert.EqualError(t, Serve(Job{}, nil, io.Discard), `protocol "": neither http nor grpc`)
	err := Serve(Job{Protocol: tool.HTTP}, strings.NewReader("stop\n"), io.Discard)
	assert.EqualError(t, err, `"stop": neither begin nor report`)
}

func TestLateBut(t *testing.T) {
	s := Seen{Planned: []time.Duration{1, 5, 9}, Late: []time.Duration{0, 4, 1}}
	assert.Equal(t, []time.Duration{0, 1, 1}, s.LateBut(planted.Window{From: 4, To: 8}))
	assert.Equal(t, s.Late, s.LateBut(planted.Window{}))
}

// TestAlarm: whoever waits is woken, in order of time and then of arrival, and never early.
func TestAlarm(t *testing.T) {
	a, err := newAlarm()
	require.NoError(t, err)
	go a.run()
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			until := a.now() + time.Duration(i%10)*time.Millisecond
			a.sleep(until)
			assert.GreaterOrEqual(t, a.now(), until)
		})
	}
	all.Wait()
	assert.Empty(t, a.waiting)
}

// check makes a call and returns the status in the reply, or the code of the error.
func check(conn *grpc.ClientConn) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	reply, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		return status.Code(err).String()
	}
	return reply.Status.String()
}
