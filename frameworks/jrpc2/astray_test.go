package jrpc2_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/jrpc2"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in lines of JSON, which begin with the number of a call.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.Counted(t, astray.Each(astray.From(`"result":`, astray.Lines), jrpc2.Variants()...)...)
}
