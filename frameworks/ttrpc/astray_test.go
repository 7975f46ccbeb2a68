package ttrpc_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
	"github.com/rpcbench/rpcbench/frameworks/ttrpc"
)

// TestRepliesOfOtherCallsAreCounted in ttrpc's frames, whose header has the number of a stream.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.Counted(t, astray.Each(astray.Headed(10, astray.Big32(0), astray.At(10)), ttrpc.Variants()...)...)
}
