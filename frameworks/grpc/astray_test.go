package grpc_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/grpc"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in frames of HTTP/2: of messages, of bytes that nobody
// decodes, and of the server that is an http.Handler.
// Slow: every variant is run through a proxy.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	v := grpc.Variants()
	astray.Counted(t, astray.Each(astray.HTTP2, v[0], v[5], v[8])...)
}
