package conformance

import (
	"io"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// streams tests what every stream must do.
func (s subject) streams(t tester.T) {
	s.skipLacking(t, call.StreamCase(s.Target))
	c := as[framework.StreamClient](t, s.dial(t, 4))
	t.Run("ping-pong", func(t tester.T) { s.pingPongs(t, c) })
	t.Run("in order", func(t tester.T) { s.keepsTheOrder(t, c) })
	t.Run("one way", func(t tester.T) { s.countsWhatIsSunk(t, c) })
	if s.Given == "" { // others need not know how to
		t.Run("many answers", func(t tester.T) { s.sendsManyAnswers(t, c) })
		t.Run("subscribers", func(t tester.T) { s.passesOnToSubscribers(t, c) })
	}
	t.Run("handler error", func(t tester.T) { s.endsAStreamWithItsError(t, c) })
	t.Run("given up", func(t tester.T) { s.leavesOtherStreamsAlone(t, c) })
	t.Run("deadline", func(t tester.T) { s.endsStreamsInTime(t, c) })
}

func (s subject) openStream(t tester.T, c framework.StreamClient, worker int) framework.EchoStream {
	stream, err := c.OpenStream(tester.Within(t, s.enough), worker)
	require.NoError(t, err)
	t.Cleanup(func() { stream.Close() })
	return stream
}

func (s subject) pingPongs(t tester.T, c framework.StreamClient) {
	s.pingPong(t, c, 0, 1, small, min(1<<20, s.large()))
}

// goesOn wants new streams to work after one has failed or was given up.
func (s subject) goesOn(t tester.T, c framework.StreamClient) { s.pingPong(t, c, small) }

func (s subject) pingPong(t tester.T, c framework.StreamClient, sizes ...int) {
	for worker := range 4 {
		stream := s.openStream(t, c, worker)
		for _, size := range sizes {
			sent := framework.EchoMessage{Action: handler.ActionEcho, Msg: call.RandomBytes(size, uint64(worker))}
			require.NoError(t, stream.Send(sent))
			got, err := stream.Recv()
			require.NoError(t, err)
			assert.Equal(t, sent.Action, got.Action)
			assert.True(t, string(sent.Msg) == string(got.Msg), "%d bytes", size)
		}
		require.NoError(t, stream.CloseSend())
		_, err := stream.Recv()
		assert.ErrorIs(t, err, io.EOF)
	}
}

// keepsTheOrder has many messages under way at once.
func (s subject) keepsTheOrder(t tester.T, c framework.StreamClient) {
	const messages = 300
	stream := s.openStream(t, c, 0)
	sent := make(chan error, 1)
	go func() {
		for i := range messages {
			if err := stream.Send(framework.EchoMessage{Action: handler.ActionEcho, Msg: call.RandomBytes(1<<10, uint64(i))}); err != nil {
				sent <- err
				return
			}
		}
		sent <- stream.CloseSend()
	}()
	for i := range messages {
		got, err := stream.Recv()
		require.NoError(t, err)
		require.True(t, string(call.RandomBytes(1<<10, uint64(i))) == string(got.Msg), "message %d", i)
	}
	require.NoError(t, <-sent)
	_, err := stream.Recv()
	assert.ErrorIs(t, err, io.EOF)
}

func (s subject) countsWhatIsSunk(t tester.T, c framework.StreamClient) {
	stream := s.openStream(t, c, 0)
	var want ask.Sum
	for i := range 100 {
		b := call.RandomBytes(i*100, uint64(i))
		want.Add(b)
		require.NoError(t, stream.Send(framework.EchoMessage{Action: handler.ActionSink, Msg: b}))
	}
	require.NoError(t, stream.Send(framework.EchoMessage{Action: handler.ActionSum}))
	answer, err := stream.Recv()
	require.NoError(t, err)
	got, err := ask.DecodeSum(answer.Action, answer.Msg)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

func (s subject) endsAStreamWithItsError(t tester.T, c framework.StreamClient) {
	stream := s.openStream(t, c, 0)
	require.NoError(t, stream.Send(framework.EchoMessage{Action: handler.ActionFail}))
	_, err := stream.Recv()
	assert.ErrorContains(t, err, handler.ErrAsked.Error())
	begin := time.Now()
	_, err = stream.Recv()
	assert.Error(t, err, "a stream that has ended says so again")
	assert.Less(t, time.Since(begin), s.enough/2, "it waited for more of a stream that has ended")
	s.goesOn(t, c)
}

// leavesOtherStreamsAlone gives up a stream whose messages nobody reads.
func (s subject) leavesOtherStreamsAlone(t tester.T, c framework.StreamClient) {
	given := s.openStream(t, c, 0)
	for range 10 {
		require.NoError(t, given.Send(framework.EchoMessage{Action: handler.ActionEcho, Msg: call.RandomBytes(1<<10, 1)}))
	}
	require.NoError(t, given.Close())
	s.goesOn(t, c)
}

// endsStreamsInTime has streams end while the server waits for the client.
func (s subject) endsStreamsInTime(t tester.T, c framework.StreamClient) {
	tester.Waits{Client: c, Within: s.enough, Answers: true}.End(t)
	s.goesOn(t, c)
}
