package thrift

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

func TestReusable(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		want bool
	}{
		{"a reply was read to its end", nil, true},
		{"the handler failed", thrift.NewTApplicationException(thrift.INTERNAL_ERROR, ""), true},
		{"the server has no such method", thrift.NewTApplicationException(thrift.UNKNOWN_METHOD, ""), true},
		{"the reply is to another call", thrift.NewTApplicationException(thrift.BAD_SEQUENCE_ID, ""), false},
		{"the server did not understand", thrift.NewTApplicationException(thrift.PROTOCOL_ERROR, ""), false},
		{"the message is too large", thrift.NewTProtocolExceptionWithType(thrift.SIZE_LIMIT, errors.New("")), false},
		{"the connection broke", thrift.NewTTransportException(thrift.END_OF_FILE, ""), false},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, reusable(test.err)) })
	}
}

// newClient returns a client with the recommended setup.
func newClient(t *testing.T, addr string) *client {
	c := &client{pool{addr: addr, setup: tutorial, size: 1}}
	t.Cleanup(func() { c.Close() })
	return c
}

// Calls that follow each other share one connection of the pool, even after errors of
// handlers. The pool keeps at most its size.
func TestPoolReuses(t *testing.T) {
	v := Variants()[0]
	s, err := v.Serve("127.0.0.1:0")
	require.NoError(t, err)
	defer s.Close()
	c := newClient(t, s.Addr())

	first, err := c.pool.take(t.Context())
	require.NoError(t, err)
	c.pool.put(first, true)
	requests := []framework.EchoMessage{{Action: handler.ActionEcho}, {Action: handler.ActionFail}}
	call := c.Echo(requests, func(int, framework.EchoMessage) error { return nil })
	for _, ctx := range []context.Context{t.Context(), context.Background()} {
		assert.NoError(t, call(ctx, 0))
		assert.ErrorContains(t, call(ctx, 1), handler.ErrAsked.Error())
	}
	assert.Equal(t, []*conn{first}, c.pool.idle)

	again, err := c.pool.take(t.Context())
	require.NoError(t, err)
	other, err := c.pool.take(t.Context())
	require.NoError(t, err)
	c.pool.put(again, true)
	c.pool.put(other, true)
	assert.Equal(t, []*conn{first}, c.pool.idle)
	assert.ErrorIs(t, other.SetDeadline(time.Time{}), net.ErrClosed)
}

// A connection whose call was ended by its context is closed, since the reply might
// still come on it.
func TestContextEnds(t *testing.T) {
	var accepted atomic.Int32
	s, err := conns.Serve("127.0.0.1:0", func(c net.Conn) {
		accepted.Add(1)
		io.Copy(io.Discard, c)
	})
	require.NoError(t, err)
	defer s.Close()
	c := newClient(t, s.Addr())

	call := c.Echo([]framework.EchoMessage{{}}, func(int, framework.EchoMessage) error { return nil })
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		assert.ErrorIs(t, call(ctx, 0), context.DeadlineExceeded)
		cancel()
		assert.Empty(t, c.pool.idle)
	}
	assert.Eventually(t, func() bool { return accepted.Load() == 3 }, 10*time.Second, time.Millisecond)
}

// Closing a client ends calls under way, and makes later calls fail.
func TestClose(t *testing.T) {
	s, err := conns.Serve("127.0.0.1:0", func(c net.Conn) { io.Copy(io.Discard, c) })
	require.NoError(t, err)
	defer s.Close()
	c := newClient(t, s.Addr())

	call := c.Echo([]framework.EchoMessage{{}}, func(int, framework.EchoMessage) error { return nil })
	failed := make(chan error)
	go func() { failed <- call(context.Background(), 0) }()
	time.Sleep(20 * time.Millisecond) // the calls are probably under way by now; the test holds even if not
	require.NoError(t, c.Close())
	assert.Error(t, <-failed)
	assert.ErrorIs(t, call(context.Background(), 0), net.ErrClosed)
}
