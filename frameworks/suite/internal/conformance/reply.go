package conformance

import (
	"bytes"
	"net"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// handsOutReplies finds a client that hands out its request, or a copy of it, as the reply: it
// makes calls whose replies differ from their requests. The server changes the replies if a
// request can ask for it; else a proxy does.
func (s subject) handsOutReplies(t tester.T) {
	sent := call.RandomBytes(1<<10, 1)
	if s.Kind != framework.Fields {
		s.handsOutWhatAProxyChanged(t, sent)
		return
	}
	request := framework.EchoMessage{Action: ask.Invert, Msg: sent}
	want := bytes.Clone(sent)
	ask.Flip(want)
	c := s.dial(t, 1)
	for way, send := range s.ways(t, c) {
		for range 2 { // the second time a client may have used its memory again
			got, err := send(request)
			require.NoError(t, err, way)
			assert.Equal(t, ask.Invert, got.Action, way)
			assert.True(t, bytes.Equal(want, got.Msg), "%s: the reply is not what the server sent", way)
			assert.True(t, bytes.Equal(call.RandomBytes(1<<10, 1), sent), "%s: the client changed its request", way)
		}
	}
}

// repliesInTheSizeAskedFor makes calls whose replies are smaller or larger than their
// requests, and compares each reply with what its request asked for. A server of -server may
// not implement them.
func (s subject) repliesInTheSizeAskedFor(t tester.T) {
	ways := s.ways(t, s.dial(t, 1))
	sizes := plan.NewList("64B:512B,64B:16KiB,16KiB:64B,0B:1KiB,1KiB:0B,1B:1MiB", plan.ReadSize)
	for i, size := range sizes.Values {
		request := framework.EchoMessage{Action: ask.Reply(size.Reply, handler.ActionEcho), Msg: call.RandomBytes(size.Request, uint64(i))}
		if s.Fits(size.Largest()) != nil {
			continue
		}
		for way, send := range ways {
			got, err := send(request)
			if s.Given != "" && s.NotImplemented(err) {
				t.Skip(err)
			}
			require.NoError(t, err, way)
			assert.NoError(t, call.CheckAll([]framework.EchoMessage{request})(0, got), "%s: size=%v", way, size)
		}
	}
}

// ways are all ways of a client to send an EchoMessage and get one back.
func (s subject) ways(t tester.T, c framework.Client) map[string]func(framework.EchoMessage) (framework.EchoMessage, error) {
	ways := map[string]func(framework.EchoMessage) (framework.EchoMessage, error){
		"Echo": func(m framework.EchoMessage) (framework.EchoMessage, error) { return s.replyOf(t, c, m) },
	}
	if s.Async {
		ways["EchoAsync"] = func(m framework.EchoMessage) (got framework.EchoMessage, err error) {
			done := make(chan error, 1)
			as[framework.AsyncClient](t, c).EchoAsync([]framework.EchoMessage{m}, keepIn(&got))(tester.Within(t, s.enough), 0, func(err error) { done <- err })
			err = <-done
			return got, err
		}
	}
	if s.Streams && s.Given == "" { // others may have calls alone
		stream := s.openStream(t, as[framework.StreamClient](t, c), 0)
		ways["Stream"] = func(m framework.EchoMessage) (framework.EchoMessage, error) {
			require.NoError(t, stream.Send(m))
			return stream.Recv()
		}
	}
	return ways
}

// replyOf returns what Echo hands to the check.
func (s subject) replyOf(t tester.T, c framework.Client, m framework.EchoMessage) (got framework.EchoMessage, err error) {
	err = c.Echo([]framework.EchoMessage{m}, keepIn(&got))(tester.Within(t, s.enough), 0)
	return got, err
}

func keepIn(got *framework.EchoMessage) framework.EchoCheck {
	return func(_ int, reply framework.EchoMessage) error {
		got.Action, got.Msg = reply.Action, bytes.Clone(reply.Msg)
		return nil
	}
}

// handsOutWhatAProxyChanged is for variants whose payloads are on the wire as they are.
// The proxy misses a payload that comes in parts, so that it takes some calls.
func (s subject) handsOutWhatAProxyChanged(t tester.T, sent []byte) {
	if s.With != "" {
		t.Skip("a proxy does not find the payload within layers")
	}
	from, to := len(sent)/2, len(sent)/2+16
	want := bytes.Clone(sent)
	ask.Flip(want[from:to])
	c, err := s.Dial(s.proxied(t, func(near, far net.Conn) { passInverted(near, far, sent[from:to]) }), framework.DialOptions{Conns: 1, Callers: 1, Patience: s.enough})
	require.NoError(t, err)
	if !s.racy() {
		t.Cleanup(func() { c.Close() })
	}
	for range 20 {
		got, err := s.replyOf(t, c, framework.EchoMessage{Action: handler.ActionEcho, Msg: sent})
		require.NoError(t, err)
		if bytes.Equal(want, got.Msg) {
			return
		}
	}
	assert.Fail(t, "the replies are not what came from the server")
}

// passInverted passes on what the server sends, with a part of the payload inverted.
func passInverted(near, far net.Conn, part []byte) {
	buf := make([]byte, 64<<10)
	for {
		n, err := far.Read(buf)
		if i := bytes.Index(buf[:n], part); i >= 0 {
			ask.Flip(buf[i : i+len(part)])
		}
		if _, failed := near.Write(buf[:n]); err != nil || failed != nil {
			return
		}
	}
}
