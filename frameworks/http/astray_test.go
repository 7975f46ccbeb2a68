package http_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/http"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted by the first variant over HTTP/1.1, and by one over HTTP/2.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	v := http.Variants()
	astray.Counted(t, astray.Framed{Variant: v[0], Framing: astray.HTTP1}, astray.Framed{Variant: v[3], Framing: astray.HTTP2})
}
