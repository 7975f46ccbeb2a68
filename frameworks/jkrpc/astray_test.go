package jkrpc_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/jkrpc"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted over HTTP/1.1, in JSON that begins with the number of a call.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.Counted(t, astray.Each(astray.From(`"value":`, astray.HTTP1), jkrpc.Variants()...)...)
}
