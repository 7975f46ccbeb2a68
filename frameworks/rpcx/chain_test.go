package rpcx

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	rpcxclient "github.com/smallnest/rpcx/client"
	"github.com/smallnest/rpcx/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// counter is a plug-in of both sides that counts.
type counter struct{ before, after atomic.Int64 }

// ofClient and ofServer tell the sides apart, whose methods have the same names.
type (
	ofClient struct{ *counter }
	ofServer struct{ *counter }
)

func (c ofClient) PreCall(context.Context, string, string, any) error {
	c.before.Add(1)
	return nil
}

func (c ofClient) PostCall(context.Context, string, string, any, any, error) error {
	c.after.Add(1)
	return nil
}

func (c ofServer) PreCall(_ context.Context, _, _ string, args any) (any, error) {
	c.before.Add(1)
	return args, nil
}

func (c ofServer) PostCall(_ context.Context, _, _ string, _, reply any, _ error) (any, error) {
	c.after.Add(1)
	return reply, nil
}

// TestChainIsCalled: both sides have as many plug-ins as the chain is long, and rpcx calls what
// stands beside them before and after each call, also one that fails. Stacks do not show it.
func TestChainIsCalled(t *testing.T) {
	sent, served := ofClient{new(counter)}, ofServer{new(counter)}
	s := tcp
	s.layers = layer.Stack{Chain: 3}
	s.options = append(slices.Clone(s.options), func(x *server.Server) { x.Plugins.Add(served) })
	running, err := serve("127.0.0.1:0", s, protobufKind)
	require.NoError(t, err)
	defer running.Close()
	assert.Equal(t, []server.Plugin{served, handling{}, handling{}, handling{}}, running.(*rpcxServer).rpcx.Plugins.All())

	dialed, err := dial([]string{running.Addr()}, s, protobufKind, rpcxclient.RandomSelect, framework.DialOptions{Conns: 1, Callers: 1})
	require.NoError(t, err)
	defer dialed.Close()
	before := served.before.Load() // of Dial's call
	plugins := dialed.(*client[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage]).list[0].GetPlugins()
	require.Len(t, plugins.All(), 3)
	assert.Equal(t, passing{}, plugins.All()[2])
	plugins.Add(sent)
	for _, action := range []string{handler.ActionEcho, handler.ActionFail} {
		echo := dialed.Echo([]framework.EchoMessage{{Action: action}}, func(int, framework.EchoMessage) error { return nil })
		err := echo(t.Context(), 0)
		assert.Equal(t, action == handler.ActionFail, err != nil, action)
	}
	assert.EqualValues(t, 2, sent.before.Load(), "before calls of the client")
	assert.EqualValues(t, 2, sent.after.Load(), "after calls of the client")
	assert.EqualValues(t, 2, served.before.Load()-before, "before calls of the server")
	assert.EqualValues(t, 2, served.after.Load()-before, "after calls of the server")
}

// TestPluginsThatDoNothing let those behind them be called, whatever became of the call.
func TestPluginsThatDoNothing(t *testing.T) {
	failed := errors.New("failed")
	assert.NoError(t, passing{}.PreCall(t.Context(), "", "", nil))
	assert.NoError(t, passing{}.PostCall(t.Context(), "", "", nil, nil, failed))
	args, err := handling{}.PreCall(t.Context(), "", "", 1)
	require.NoError(t, err)
	assert.Equal(t, 1, args)
	reply, err := handling{}.PostCall(t.Context(), "", "", 1, 2, failed)
	require.NoError(t, err)
	assert.Equal(t, 2, reply)
}
