package tcp_test

import (
	"encoding/binary"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
)

// TestRepliesOfOtherCallsAreCounted in frames of our own, whose ids stay.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	for _, v := range tcp.Variants()[:2] { // a connection for each caller, and shared ones
		astray.Frames(t, v, 12, func(header []byte) int { return int(binary.BigEndian.Uint32(header)) })
	}
}
