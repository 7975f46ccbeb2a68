package native_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

func TestHandlersSetTheReply(t *testing.T) {
	request := &plain.EchoMessage{Action: handler.ActionEcho, Msg: []byte("b")}
	reply, err := plain.Kind.HandleEcho(request)
	assert.NoError(t, err)
	assert.Equal(t, request, reply)
	assert.NotSame(t, request, reply, "a reply is made, as in every handler")
	_, err = plain.Kind.HandleEcho(&plain.EchoMessage{Action: handler.ActionFail})
	assert.ErrorIs(t, err, handler.ErrAsked)
}

// TestMessagesMayBeMissing since Thrift leaves out what a flipped bit has renamed.
func TestMessagesMayBeMissing(t *testing.T) {
	_, echo := plain.Kind.HandleEcho(nil)
	_, message := plain.Kind.HandleMessage(nil)
	call := plain.Kind.Echo(make([]framework.EchoMessage, 1), nil, func(context.Context, int, *plain.EchoMessage) (*plain.EchoMessage, error) { return nil, nil })
	callMessage := plain.Kind.Message(1, nil, func(context.Context, int, *plain.BenchMessage) (*plain.BenchMessage, error) { return nil, nil })
	for about, err := range map[string]error{
		"an echo's request": echo, "a message's request": message,
		"an echo's reply": call(t.Context(), 0), "a message's reply": callMessage(t.Context(), 0),
	} {
		assert.EqualError(t, err, "the message is missing", about)
	}
}

// The bench message that the suite has for adapters of others is the same as ours.
var _ = message.Bench(plain.BenchMessage{})

// async keeps the results of a call.
type async struct {
	results []error
}

func (a *async) done(err error) { a.results = append(a.results, err) }

func newFlights() *native.Flights[plain.EchoMessage] {
	requests := []framework.EchoMessage{{Action: "0"}, {Action: "1"}}
	return plain.Kind.Flights(requests, func(worker int, reply framework.EchoMessage) error {
		if reply.Action != requests[worker].Action {
			return errWrong
		}
		return nil
	})
}

var errWrong = errors.New("wrong reply")

func TestFlightsEndOnce(t *testing.T) {
	ctx := context.Background()
	for _, row := range []struct {
		about string
		run   func(f *native.Flights[plain.EchoMessage], a *async)
		want  []error
	}{
		{"a reply ends its call", func(f *native.Flights[plain.EchoMessage], a *async) {
			req, reply := f.Start(ctx, 1, a.done)
			*reply = *req
			f.End(1, reply, nil)
			f.End(1, reply, nil)
		}, []error{nil}},
		{"the check judges", func(f *native.Flights[plain.EchoMessage], a *async) {
			_, reply := f.Start(ctx, 1, a.done)
			f.End(1, reply, nil)
		}, []error{errWrong}},
		{"an error is not checked", func(f *native.Flights[plain.EchoMessage], a *async) {
			_, reply := f.Start(ctx, 0, a.done)
			f.End(0, reply, handler.ErrAsked)
		}, []error{handler.ErrAsked}},
		{"a closed client ends what is under way", func(f *native.Flights[plain.EchoMessage], a *async) {
			f.Start(ctx, 0, a.done)
			f.Start(ctx, 1, a.done)
			f.Abandon()
			f.Abandon()
		}, []error{native.ErrClosed, native.ErrClosed}},
	} {
		t.Run(row.about, func(t *testing.T) {
			var a async
			row.run(newFlights(), &a)
			assert.Equal(t, row.want, a.results)
		})
	}
}

// A reply that comes after its call was cancelled does not end the next call.
func TestFlightsLateReply(t *testing.T) {
	f := newFlights()
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	_, late := f.Start(ctx, 0, func(err error) { ended <- err })
	cancel()
	select {
	case err := <-ended:
		assert.ErrorIs(t, err, context.Canceled)
	case <-time.After(10 * time.Second):
		t.Fatal("the context did not end the call")
	}
	var next async
	req, reply := f.Start(context.Background(), 0, next.done)
	f.End(0, late, nil)
	assert.Empty(t, next.results)
	*reply = *req
	f.End(0, reply, nil)
	assert.Equal(t, []error{nil}, next.results)
}

// Land ends the calls whose replies come, until the client is closed.
func TestLand(t *testing.T) {
	f := newFlights()
	landed, closed, returned := make(chan native.Landed[plain.EchoMessage]), make(chan struct{}), make(chan struct{})
	go func() {
		native.Land(f, landed, func(l native.Landed[plain.EchoMessage]) native.Landed[plain.EchoMessage] { return l }, closed)
		close(returned)
	}()
	var answered, refused, abandoned async
	req, reply := f.Start(t.Context(), 1, answered.done)
	*reply = *req
	landed <- native.Landed[plain.EchoMessage]{Request: req, Reply: reply}
	req, reply = f.Start(t.Context(), 0, refused.done)
	landed <- native.Landed[plain.EchoMessage]{Request: req, Reply: reply, Err: handler.ErrAsked}
	landed <- native.Landed[plain.EchoMessage]{Request: req, Reply: reply} // a second time; when it is taken, the first has been handled
	f.Start(t.Context(), 0, abandoned.done)
	close(closed)
	<-returned
	assert.Equal(t, []error{nil}, answered.results)
	assert.Equal(t, []error{handler.ErrAsked}, refused.results)
	assert.Equal(t, []error{native.ErrClosed}, abandoned.results)
}

// EchoAsync checks replies, and returns the errors of calls as they are.
func TestEchoAsync(t *testing.T) {
	requests := []framework.EchoMessage{{Action: "0"}}
	check := func(_ int, reply framework.EchoMessage) error {
		if reply.Action != "0" {
			return errWrong
		}
		return nil
	}
	for _, row := range []struct {
		about  string
		answer string
		err    error
		want   error
	}{
		{"the reply", "0", nil, nil},
		{"another reply", "1", nil, errWrong},
		{"an error", "1", handler.ErrAsked, handler.ErrAsked},
	} {
		var a async
		plain.Kind.EchoAsync(requests, check, func(_ context.Context, _ int, _, reply *plain.EchoMessage, done func(error)) {
			reply.Action = row.answer
			done(row.err)
		})(t.Context(), 0, a.done)
		assert.Equal(t, []error{row.want}, a.results, row.about)
	}
}
