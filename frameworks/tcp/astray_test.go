package tcp_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
)

// TestRepliesOfOtherCallsAreCounted in frames of our own, whose ids stay: over a connection for
// each caller, and over shared ones.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	frame := astray.Headed(12, astray.Big32(0), astray.At(12))
	astray.Counted(t, astray.Each(frame, tcp.Variants()[:2]...)...)
}
