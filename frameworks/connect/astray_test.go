package connect_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/connect"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted by the first variants over HTTP/1.1 and over HTTP/2, and
// by the one that speaks gRPC.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	v := connect.Variants()
	astray.Counted(t, append(astray.Each(astray.HTTP2, v[3], v[5]), astray.Framed{Variant: v[0], Framing: astray.HTTP1})...)
}
