package nats_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/nats"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in messages from the broker to a client, which name the call in the subject.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.Counted(t, astray.Each(astray.Announced("MSG", "HMSG"), nats.Variants()...)...)
}
