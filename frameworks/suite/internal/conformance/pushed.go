package conformance

import (
	"encoding/binary"
	"io"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// sendsManyAnswers has two requests under way, each of which is answered by many messages.
func (s subject) sendsManyAnswers(t tester.T, c framework.StreamClient) {
	const each = 100
	stream := s.openStream(t, c, 0)
	msg := call.RandomBytes(1<<10, 1)
	for request := range uint64(2) {
		binary.LittleEndian.PutUint64(msg, request*each)
		require.NoError(t, stream.Send(framework.EchoMessage{Action: ask.Send(each), Msg: msg}))
	}
	for n := range uint64(2 * each) {
		binary.LittleEndian.PutUint64(msg, n)
		s.receives(t, stream, msg)
	}
	s.ends(t, stream)
}

// passesOnToSubscribers has three streams subscribe, of which one leaves.
func (s subject) passesOnToSubscribers(t tester.T, c framework.StreamClient) {
	group := "conformance of " + s.server.Addr()
	var subscribers []framework.EchoStream
	for worker := range 3 {
		stream := s.openStream(t, c, worker)
		subscribe := framework.EchoMessage{Action: ask.Subscribe(group), Msg: []byte("me")}
		require.NoError(t, stream.Send(subscribe))
		got, err := stream.Recv()
		require.NoError(t, err)
		assert.Equal(t, subscribe.Action, got.Action)
		assert.Equal(t, "me", string(got.Msg))
		subscribers = append(subscribers, stream)
	}
	publisher := s.openStream(t, c, 3)
	publish := func(n int, msg []byte) {
		require.NoError(t, publisher.Send(framework.EchoMessage{Action: ask.Publish(n, group), Msg: msg}))
		for _, stream := range subscribers[:n] {
			s.receives(t, stream, msg)
		}
	}
	for i := range 20 {
		publish(3-i%2, call.RandomBytes(i*100, uint64(i)))
	}
	s.ends(t, subscribers[2])
	publish(2, []byte("the others"))
	require.NoError(t, publisher.Send(framework.EchoMessage{Action: ask.Publish(3, group)}))
	_, err := publisher.Recv()
	assert.ErrorContains(t, err, "of which there are 2")
	s.goesOn(t, c)
}

func (s subject) receives(t tester.T, stream framework.EchoStream, msg []byte) {
	got, err := stream.Recv()
	require.NoError(t, err)
	require.Equal(t, handler.ActionPushed, got.Action)
	require.True(t, string(msg) == string(got.Msg), "a message of %d bytes", len(msg))
}

// ends ends a stream in order.
func (s subject) ends(t tester.T, stream framework.EchoStream) {
	require.NoError(t, stream.CloseSend())
	_, err := stream.Recv()
	assert.ErrorIs(t, err, io.EOF)
}
