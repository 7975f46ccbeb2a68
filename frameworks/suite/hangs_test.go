package suite

import (
	"context"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/conformance"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// envHangs is the environment variable of what never returns in clients, whatever their
// contexts say and even if they are closed: dial, call, open, send, recv or close. After a
// slash may follow how often it does return before.
const envHangs = "TINY_HANGS"

// hanging returns a configuration whose clients hang as the environment says.
func hanging(c Config) Config {
	what, returns, _ := strings.Cut(os.Getenv(envHangs), "/")
	if what == "" {
		return c
	}
	h := &hangs{what: what}
	if n, err := strconv.ParseInt(returns, 10, 64); err == nil {
		h.left.Store(n)
	}
	for i, v := range c.Frameworks {
		c.Frameworks[i].Dial = func(addr string, o framework.DialOptions) (framework.Client, error) {
			h.at("dial")
			client, err := v.Dial(addr, o)
			if streams, ok := client.(framework.StreamClient); ok && err == nil {
				return &hangingStreams{hangingClient{client.(framework.MessageClient), h}, streams}, nil
			} else if err == nil {
				return &hangingClient{client.(framework.MessageClient), h}, nil
			}
			return nil, err
		}
		c.Frameworks[i].Async = false
	}
	return c
}

// hangs is what all clients share.
type hangs struct {
	what string
	left atomic.Int64 // how often it returns still
}

func (h *hangs) at(what string) {
	if h.what == what && h.left.Add(-1) < 0 {
		select {}
	}
}

type hangingClient struct {
	framework.MessageClient
	*hangs
}

func (c *hangingClient) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	call := c.MessageClient.Echo(requests, check)
	return func(ctx context.Context, worker int) error {
		c.at("call")
		return call(ctx, worker)
	}
}

func (c *hangingClient) Close() error {
	c.at("close")
	return c.MessageClient.Close()
}

type hangingStreams struct {
	hangingClient
	streams framework.StreamClient
}

func (c *hangingStreams) OpenStream(ctx context.Context, worker int) (framework.EchoStream, error) {
	c.at("open")
	s, err := c.streams.OpenStream(ctx, worker)
	return &hangingStream{s, c.hangs}, err
}

type hangingStream struct {
	framework.EchoStream
	*hangs
}

func (s *hangingStream) Send(m framework.EchoMessage) error {
	s.at("send")
	return s.EchoStream.Send(m)
}

func (s *hangingStream) Recv() (framework.EchoMessage, error) {
	s.at("recv")
	return s.EchoStream.Recv()
}

// TestConformanceOfWhatHangs is run by TestConformanceEnds, in another process.
func TestConformanceOfWhatHangs(t *testing.T) {
	if os.Getenv(envHangs) == "" {
		t.Skip("only with " + envHangs)
	}
	conformance.Test(sanitized{t}, conformance.Config{
		Rig: current.rig, Targets: current.proven(), Networks: []plan.Network{{}}, Lost: current.plan.Lost, Patience: 3 * time.Second,
	})
}

// TestConformanceEnds: what hangs is told with the part and with the place where it waits.
func TestConformanceEnds(t *testing.T) {
	t.Parallel()
	unraced(t)
	for _, c := range []struct{ hangs, framework, part, place string }{
		{"dial", "tiny", "part connections did not end within 3s", "hanging.func1"},
		{"call", "tiny", "part connections did not end within 3s", "loadgen.Run"},
		{"close", "tiny", "part connections did not end within 3s", "hangingClient).Close"},
		{"open", "spend", "did not end within 3s", "hangingStreams).OpenStream"},
		{"send", "spend", "did not end within 3s", "hangingStream).Send"},
		{"recv", "spend", "did not end within 3s", "hangingStream).Recv"},
	} {
		t.Run(c.hangs, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			out, errOut, code := selfIn(t, []string{envHangs + "=" + c.hangs}, "-test.run=^TestConformanceOfWhatHangs$", "-framework="+c.framework)
			assert.Equal(t, 1, code)
			assert.Contains(t, out, c.part, errOut)
			assert.Contains(t, out, c.place)
			assert.NotContains(t, out+errOut, "panic: ")
			assert.Less(t, time.Since(begin), time.Minute, "where it takes about 4 s")
		})
	}
}

// TestTheWatchdogEndsWhatHeedsNothing: runs end with a sentence, whatever a client's calls,
// streams, Dial and Close do.
func TestTheWatchdogEndsWhatHeedsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for half a minute")
	}
	t.Parallel()
	unraced(t)
	const oneway = "Stream/framework=spend/transport=tcp/codec=bytes/size=1KiB/conc=10/mode=oneway"
	for _, c := range []struct{ about, hangs, framework, bench, say string }{
		{"a client that is never dialed", "dial", "tiny", "Echo", "dial: it did not return within"},
		{"first calls", "call", "tiny", "Echo", "warm-up: it did not return within 11s"},
		{"later calls", "call/700", "tiny", "Echo", "no call ended for 1s"},
		{"a client that is never closed", "close", "tiny", "Echo", "client of framework=tiny/transport=tcp/codec=gob: it was not closed within 5s"},
		{"streams that are never open", "open", "spend", oneway, "it did not return within"},
		{"first messages that are never sent", "send", "spend", oneway, "it did not return within"},
		{"later messages", "send/600", "spend", oneway, "no call ended for 1s"},
		{"answers", "recv", "spend", oneway, "no call ended for 1s"},
		{"idle connections", "call/3", "tiny", "Idle", "it did not return within"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			out, errOut, code := selfIn(t, []string{envHangs + "=" + c.hangs}, measuring(c.bench, "-framework="+c.framework, "-size=1KiB", "-conc=10", "-conns=4", "-watchdog=1s")...)
			assert.Equal(t, 1, code, "%s%s", out, errOut)
			assert.Contains(t, out+errOut, c.say)
			assert.Less(t, time.Since(begin), 4*time.Minute, "where it takes 5 to 30 s")
		})
	}
}
