package brpc_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/brpc"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in frames of both protocols, whose meta has the number of a call.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	variants := brpc.Variants()
	std := astray.Headed(12, astray.Big32(4), astray.Plus(12, astray.Big32(8)))
	hulu := astray.Headed(12, astray.Little32(4), astray.Plus(12, astray.Little32(8)))
	astray.Counted(t, append(astray.Each(std, variants[:2]...), astray.Each(hulu, variants[2:]...)...)...)
}
