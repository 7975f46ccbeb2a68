package http_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/http"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted over HTTP/1.1, by the first variant.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.HTTP(t, http.Variants()[0])
}
