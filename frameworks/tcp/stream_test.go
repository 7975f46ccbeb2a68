package tcp

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

func openStream(t *testing.T, addr string) framework.EchoStream {
	c, err := dialConn(addr, framework.DialOptions{}, setup{})
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	s, err := c.(framework.StreamClient).OpenStream(t.Context(), 0)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// Frames with and without the buffer may follow each other in any order.
func TestStreamOfAllSizes(t *testing.T) {
	server, err := serve("127.0.0.1:0", connBuffer, setup{})
	require.NoError(t, err)
	defer server.Close()
	s := openStream(t, server.Addr())
	var sent []framework.EchoMessage
	for range 500 {
		sizes := []int{0, 1, 100, connBuffer - headerLen, connBuffer, connBuffer + 1, 5 * connBuffer, 1 << 20}
		m := framework.EchoMessage{Action: handler.ActionEcho, Msg: make([]byte, sizes[rand.N(len(sizes))])}
		for i := range m.Msg {
			m.Msg[i] = byte(rand.Uint32())
		}
		sent = append(sent, m)
	}
	go func() {
		for _, m := range sent {
			assert.NoError(t, s.Send(m))
		}
		assert.NoError(t, s.CloseSend())
	}()
	for i, m := range sent {
		got, err := s.Recv()
		require.NoError(t, err)
		require.Equal(t, m.Action, got.Action)
		require.True(t, bytes.Equal(m.Msg, got.Msg), "message %d of %d bytes", i, len(m.Msg))
	}
	for range 2 {
		_, err = s.Recv()
		assert.Equal(t, io.EOF, err)
	}
}

// The error reaches a client even if the server has not read all that it sent.
func TestStreamFailsBeforeItIsRead(t *testing.T) {
	server, err := serve("127.0.0.1:0", connBuffer, setup{})
	require.NoError(t, err)
	defer server.Close()
	s := openStream(t, server.Addr())
	require.NoError(t, s.Send(framework.EchoMessage{Action: handler.ActionFail}))
	for range 10 {
		require.NoError(t, s.Send(framework.EchoMessage{Action: handler.ActionSink, Msg: make([]byte, 1<<20)}))
	}
	_, err = s.Recv()
	assert.EqualError(t, err, handler.ErrAsked.Error())
}

// Frames have numbers for the common actions, and the text of all others.
func TestFramesCarryAnyAction(t *testing.T) {
	for _, m := range []framework.EchoMessage{
		{Action: handler.ActionPushed, Msg: []byte("x")},
		{Action: "send/3", Msg: []byte("x")},
		{Action: strings.Repeat("a", 255), Msg: []byte{}},
	} {
		f, err := pack(m)
		require.NoError(t, err)
		got, err := unpack(f)
		require.NoError(t, err)
		assert.Equal(t, m, got)
	}
	for _, payload := range []string{"", "\x01", "\xff" + strings.Repeat("a", 254)} {
		_, err := unpack(frame{messages + spelled, []byte(payload)})
		assert.Error(t, err, "%q ends within the action", payload)
	}
}

func TestStreamRefuses(t *testing.T) {
	server, err := serve("127.0.0.1:0", connBuffer, setup{})
	require.NoError(t, err)
	defer server.Close()
	s := openStream(t, server.Addr())
	assert.ErrorContains(t, s.Send(framework.EchoMessage{Action: strings.Repeat("a", 256)}), "at most 255")
	assert.ErrorContains(t, s.Send(framework.EchoMessage{Msg: make([]byte, MaxMessage+1)}), "MaxMessage")
	require.NoError(t, s.Send(framework.EchoMessage{Msg: []byte("x")}))
	got, err := s.Recv()
	require.NoError(t, err)
	assert.Equal(t, framework.EchoMessage{Msg: []byte("x")}, got)
}

// A lost connection is an error, not the end of a stream.
func TestStreamLost(t *testing.T) {
	for _, row := range []struct{ about, wire string }{
		{"before a frame", ""},
		{"within a header", "\x00\x00"},
		{"within a payload", string(appendHeader(nil, frame{messages, make([]byte, 2)})) + "a"},
	} {
		t.Run(row.about, func(t *testing.T) {
			server, err := conns.Serve("127.0.0.1:0", func(c net.Conn) {
				r := bufio.NewReader(c)
				if f, err := readFrame(r, new(frames.Memory), nil); err == nil && assert.Equal(t, opens, f.id) {
					io.WriteString(c, row.wire)
				}
			})
			require.NoError(t, err)
			defer server.Close()
			_, err = openStream(t, server.Addr()).Recv()
			assert.ErrorContains(t, err, "tcp: no connection")
			assert.NotErrorIs(t, err, io.EOF)
		})
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	server := silent(t)
	c, err := dialConn(server.Addr(), framework.DialOptions{}, setup{})
	require.NoError(t, err)
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	s, err := c.(framework.StreamClient).OpenStream(ctx, 0)
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Recv()
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.ErrorIs(t, s.Send(framework.EchoMessage{}), context.DeadlineExceeded)
}

// A server that sends every frame back says in this way that it has no streams.
func TestAServerWithoutStreams(t *testing.T) {
	s, err := conns.Serve("127.0.0.1:0", func(c net.Conn) { io.Copy(c, c) })
	require.NoError(t, err)
	defer s.Close()
	v := Variants()[0]
	c, err := v.Dial(s.Addr(), framework.DialOptions{Conns: 1, Callers: 1})
	require.NoError(t, err)
	defer c.Close()
	stream, err := c.(framework.StreamClient).OpenStream(t.Context(), 0)
	require.NoError(t, err)
	defer stream.Close()
	_, err = stream.Recv()
	assert.True(t, v.Unknown(err), "%v", err)
}
