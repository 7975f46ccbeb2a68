package nats

import (
	"testing"
	"time"

	broker "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// TestABrokerWithoutAService is told as such, with the subject that nobody has subscribed to.
func TestABrokerWithoutAService(t *testing.T) {
	t.Parallel()
	options, err := optionsOf("127.0.0.1:0", layer.Stack{})
	require.NoError(t, err)
	b, err := broker.NewServer(options)
	require.NoError(t, err)
	go b.Start()
	defer b.Shutdown()
	require.True(t, b.ReadyForConnections(dialTimeout))
	c, err := dial(b.Addr().String(), layer.Stack{}, framework.DialOptions{Conns: 1, Patience: 10 * time.Second})
	require.NoError(t, err)
	defer c.Close()
	requests := []framework.EchoMessage{{Action: handler.ActionEcho}}
	err = c.Echo(requests, func(int, framework.EchoMessage) error { return nil })(t.Context(), 0)
	assert.ErrorContains(t, err, "the broker answers, but nobody has subscribed to rpcbench.Bencher.Echo: connect the service to this broker")
	assert.ErrorIs(t, err, nats.ErrNoResponders)
}
