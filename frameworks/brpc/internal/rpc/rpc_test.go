package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
)

var (
	methodEcho   = wire.Method{Service: "a.Test", Name: "Echo", Index: 0}
	methodStream = wire.Method{Service: "a.Test", Name: "Stream", Index: 1}
)

// service echoes messages, attachments and streams. For the action fail it returns the
// message's text as an error.
var service = Service{Name: "a.Test", Methods: []Method{
	{Name: "Echo", Unary: func(in *Incoming) (proto.Message, []byte, error) {
		m := new(protobuf.EchoMessage)
		if err := in.Decode(m); err != nil {
			return nil, nil, err
		}
		if m.Action == "fail" {
			return nil, nil, errors.New(string(m.Msg))
		}
		return m, in.Attachment, nil
	}},
	{Name: "Stream", Stream: func(s *Stream) {
		for m := new(protobuf.EchoMessage); s.Recv(m) == nil && s.Send(m) == nil; {
		}
	}},
}}

// pair returns a client and a server of a connection in this process, for synctest.
func pair(t *testing.T, p *wire.Protocol, services ...Service) *Conn {
	return pairWith(t, p, Window, services...)
}

func pairWith(t *testing.T, p *wire.Protocol, window int, services ...Service) *Conn {
	near, far := net.Pipe()
	go serve(far, window, services)
	c := newConn(near, p, window)
	t.Cleanup(func() { c.Close() })
	return c
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func TestCalls(t *testing.T) {
	for _, p := range []*wire.Protocol{wire.BaiduStd, wire.Hulu} {
		s, err := Serve("127.0.0.1:0", Window, service)
		require.NoError(t, err)
		defer s.Close()
		c, err := Dial(s.Addr(), p, Window)
		require.NoError(t, err)
		defer c.Close()
		for _, size := range []int{0, 1, 1 << 10, 4 << 20} {
			payload := []byte(strings.Repeat("x", size))
			answer := new(protobuf.EchoMessage)
			attachment, err := c.Call(t.Context(), methodEcho, &protobuf.EchoMessage{Msg: payload}, answer, payload)
			require.NoError(t, err)
			assert.True(t, string(payload) == string(answer.Msg), "%d bytes", size)
			assert.True(t, string(payload) == string(attachment), "%d bytes attached", size)
		}
		_, err = c.Call(t.Context(), methodEcho, &protobuf.EchoMessage{Action: "fail", Msg: []byte("why")}, nil, []byte("x"))
		assert.Equal(t, &Error{CodeInternal, "why"}, err)
	}
}

func TestUnknownMethods(t *testing.T) {
	for _, row := range []struct {
		about    string
		protocol *wire.Protocol
		method   wire.Method
		code     int32
	}{
		{"no such service", wire.BaiduStd, wire.Method{Service: "Nobody", Name: "Echo"}, CodeNoService},
		{"baidu_std wants the full name", wire.BaiduStd, wire.Method{Service: "Test", Name: "Echo"}, CodeNoService},
		{"no such method", wire.BaiduStd, wire.Method{Service: "a.Test", Name: "echo"}, CodeNoMethod},
		{"no such number", wire.Hulu, wire.Method{Service: "Test", Index: 2}, CodeNoMethod},
		{"less than no number", wire.Hulu, wire.Method{Service: "Test", Index: -1}, CodeNoMethod},
		{"a method for streams in a call", wire.BaiduStd, methodStream, CodeRequest},
	} {
		t.Run(row.about, func(t *testing.T) {
			c := pair(t, row.protocol, service)
			_, err := c.Call(t.Context(), row.method, &protobuf.EchoMessage{}, &protobuf.EchoMessage{}, nil)
			var got *Error
			require.ErrorAs(t, err, &got)
			assert.Equal(t, row.code, got.Code, got.Text)
		})
	}
}

// A call ends with its context. Its request is removed if it has not been sent, so the
// server reads no request whose call has ended.
func TestDeafServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		c := newConn(near, wire.BaiduStd, Window)
		defer c.Close()
		for range 100 {
			_, err := c.Call(within(t, time.Second), methodEcho, &protobuf.EchoMessage{Msg: make([]byte, 1<<20)}, nil, nil)
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			done := make(chan error)
			go c.Go(within(t, time.Second), methodEcho, &protobuf.EchoMessage{Msg: make([]byte, 1<<20)}, nil, func(err error) { done <- err })
			assert.ErrorIs(t, <-done, context.DeadlineExceeded)
		}
		assert.Zero(t, c.out.queued())
		assert.Empty(t, c.waiting)
	})
}

// The server stops reading from a client that reads no answers.
func TestDeafClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		go serve(far, Window, []Service{service})
		request, err := wire.BaiduStd.AppendRequest(nil, wire.Request{ID: 1, Method: methodEcho}, &protobuf.EchoMessage{Msg: make([]byte, 1<<20)})
		require.NoError(t, err)
		written := 0
		go func() {
			for {
				n, err := near.Write(request)
				if written += n; err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		assert.Less(t, written, maxLoad+maxLoad/4)
		near.Close()
		synctest.Wait()
	})
}

// The sender stops when the peer has not consumed a whole window, whichever that is.
func TestWindow(t *testing.T) {
	for _, window := range []int{4 << 10, 64 << 10, Window, 32 << 20} {
		t.Run(fmt.Sprint(window), func(t *testing.T) { stopsAt(t, window) })
	}
}

func stopsAt(t *testing.T, window int) {
	synctest.Test(t, func(t *testing.T) {
		read := make(chan bool)
		c := pairWith(t, wire.BaiduStd, window, Service{Name: "a.Test", Methods: []Method{{Name: "Stream", Stream: func(s *Stream) {
			for range read {
				s.Recv(new(protobuf.EchoMessage))
			}
		}}}})
		s, err := c.OpenStream(t.Context(), methodStream)
		require.NoError(t, err)
		sent := 0
		go func() {
			for s.Send(&protobuf.EchoMessage{Msg: make([]byte, window/4)}) == nil {
				sent++
			}
		}()
		synctest.Wait()
		assert.Equal(t, 4, sent, "the fourth is sent whole, as the window was not full before")
		read <- true
		synctest.Wait()
		assert.Equal(t, 5, sent, "feedback of one makes room for one")
		s.Close()
		synctest.Wait()
		assert.ErrorIs(t, s.Send(&protobuf.EchoMessage{}), io.EOF)
		close(read)
	})
}

// A peer with a smaller window gets feedback before its window is full.
func TestFeedbackWhenNothingIsAtHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := pair(t, wire.BaiduStd, service)
		s, err := c.OpenStream(t.Context(), methodStream)
		require.NoError(t, err)
		for range 10 {
			require.NoError(t, s.Send(&protobuf.EchoMessage{Msg: make([]byte, 100)}))
			require.NoError(t, s.Recv(&protobuf.EchoMessage{}))
			synctest.Wait()
			assert.Equal(t, s.produced, s.acked)
		}
	})
}

// 256 MiB are sent there and back. At any time at most a window and a message are under
// way in each direction.
func TestBulkStream(t *testing.T) {
	const messages, size = 512, 128 << 10
	s, err := Serve("127.0.0.1:0", Window, service)
	require.NoError(t, err)
	defer s.Close()
	c, err := Dial(s.Addr(), wire.BaiduStd, Window)
	require.NoError(t, err)
	defer c.Close()
	stream, err := c.OpenStream(t.Context(), methodStream)
	require.NoError(t, err)
	sent := make(chan error, 1)
	go func() {
		payload := make([]byte, size)
		for i := range messages {
			payload[0], payload[size-1] = byte(i), byte(i>>8)
			if err := stream.Send(&protobuf.EchoMessage{Msg: payload}); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	for i := range messages {
		m := new(protobuf.EchoMessage)
		require.NoError(t, stream.Recv(m))
		require.Len(t, m.Msg, size)
		require.Equal(t, []byte{byte(i), byte(i >> 8)}, []byte{m.Msg[0], m.Msg[size-1]})
		stream.mu.Lock()
		assert.Less(t, stream.produced-stream.acked, int64(Window+size+100))
		assert.Less(t, stream.unread, Window+size+100)
		stream.mu.Unlock()
	}
	require.NoError(t, <-sent)
	stream.Close()
}

// Calls and streams of a lost connection return the reason, each once.
func TestServerGone(t *testing.T) {
	s, err := Serve("127.0.0.1:0", Window, service)
	require.NoError(t, err)
	c, err := Dial(s.Addr(), wire.BaiduStd, Window)
	require.NoError(t, err)
	defer c.Close()
	stream, err := c.OpenStream(t.Context(), methodStream)
	require.NoError(t, err)
	s.Close()
	assert.Error(t, stream.Recv(&protobuf.EchoMessage{}))
	for range 3 {
		_, err := c.Call(within(t, time.Minute), methodEcho, &protobuf.EchoMessage{}, nil, nil)
		assert.ErrorContains(t, err, "brpc: ")
		_, err = c.OpenStream(within(t, time.Minute), methodStream)
		assert.ErrorContains(t, err, "brpc: ")
	}
}
