package dubbo_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/dubbo"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in Dubbo's frames, whose header has the number of a call, and over HTTP/2.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	v := dubbo.Variants()
	own := astray.Headed(16, astray.Big32(12), astray.At(16))
	astray.Counted(t, astray.Framed{Variant: v[0], Framing: own}, astray.Framed{Variant: v[1], Framing: astray.HTTP2})
}
