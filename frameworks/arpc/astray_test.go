package arpc_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/arpc"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in arpc's frames, whose header has the number of a
// call: of messages and of bytes, over net and over nbio.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	frame := astray.Headed(16, astray.Little32(0), func(frame []byte) int { return 16 + int(frame[7]) })
	v := arpc.Variants()
	astray.Counted(t, astray.Each(frame, v[0], v[4], v[9])...)
}
