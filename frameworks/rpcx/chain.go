package rpcx

import (
	"context"

	rpcxclient "github.com/smallnest/rpcx/client"
	"github.com/smallnest/rpcx/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

func chains() layer.Interceptors {
	return layer.Interceptors{
		By:    "plug-ins with PreCall and PostCall on both sides; asynchronous calls pass those of the server alone, as Go calls none",
		Apart: "rpcx calls plug-ins before and after",
	}
}

// chained has the calls of a client pass n plug-ins that do nothing.
func chained(c rpcxclient.XClient, n int) rpcxclient.XClient {
	for range n {
		c.GetPlugins().Add(passing{})
	}
	return c
}

// passing is a plug-in of a client that does nothing.
type passing struct{}

var (
	_ rpcxclient.PreCallPlugin  = passing{}
	_ rpcxclient.PostCallPlugin = passing{}
)

// PreCall implements client.PreCallPlugin.
func (passing) PreCall(context.Context, string, string, any) error { return nil }

// PostCall implements client.PostCallPlugin.
func (passing) PostCall(context.Context, string, string, any, any, error) error { return nil }

// handling is a plug-in of a server that does nothing.
type handling struct{}

var (
	_ server.PreCallPlugin  = handling{}
	_ server.PostCallPlugin = handling{}
)

// PreCall implements server.PreCallPlugin.
func (handling) PreCall(_ context.Context, _, _ string, args any) (any, error) { return args, nil }

// PostCall implements server.PostCallPlugin. Its error would be one more: rpcx keeps that of the
// call.
func (handling) PostCall(_ context.Context, _, _ string, _, reply any, _ error) (any, error) {
	return reply, nil
}
