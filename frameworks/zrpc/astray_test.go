package zrpc_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
	"github.com/rpcbench/rpcbench/frameworks/zrpc"
)

// TestRepliesOfOtherCallsAreCounted in frames of HTTP/2, with all middlewares.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.Counted(t, astray.Each(astray.HTTP2, zrpc.Variants()[0])...)
}
