package connect_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/connect"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted over HTTP/1.1, by the first variant.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.HTTP(t, connect.Variants()[0])
}
