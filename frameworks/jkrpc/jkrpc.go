// Package jkrpc adapts jkrpc (jksoa-rpc) with its protocol jsonr, in which a call is a
// POST of JSON. It measures a user's server, given by -server; the server in this
// package replaces that in tests.
//
// The service is the interface rpcbench.Bencher, with the methods echo(Map): Map and
// message(Map): Map, since jsonr passes JSON values.
package jkrpc

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// Variants lists jkrpc's one variant.
func Variants() []framework.Variant {
	return []framework.Variant{{
		Keys:        framework.Keys{Framework: "jkrpc", Transport: "h1", Codec: "json"},
		About:       "the client speaks the protocol jsonr by net/http and encoding/json; the server is yours, given by `-server=`; in tests a server written in this project stands in for it",
		Rank:        framework.Ours,
		StandIn:     true,
		Connections: framework.Connections{Sharing: framework.Pooled},
		Limits:      framework.Limits{MaxMessage: MaxMessage},
		Unknown:     framework.Says(nothing, "there is no method"),
		Serve:       serve,
		Dial:        dial,
	}}
}
