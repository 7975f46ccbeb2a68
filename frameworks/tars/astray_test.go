package tars_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
	"github.com/rpcbench/rpcbench/frameworks/tars"
)

// TestRepliesOfOtherCallsAreCounted in frames whose first fields have the number of a call.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	const payload, around = 1 << 10, 16
	frame := astray.Headed(4, astray.Plus(-4, astray.Big32(0)), astray.Last(payload+around))
	astray.CountedAlone(t, astray.Each(frame, tars.Variants()[0])...)
}
