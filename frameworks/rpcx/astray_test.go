package rpcx_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/rpcx"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in rpcx's frames, whose header has the number of a
// call: of messages and of bytes.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	v := rpcx.Variants()
	astray.Counted(t, astray.Each(astray.Headed(16, astray.Big32(12), astray.At(16)), v[0], v[5])...)
}
