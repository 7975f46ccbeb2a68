package dubbo_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/dubbo"
	"github.com/rpcbench/rpcbench/frameworks/suite/waiting"
)

// TestStreamsOfAServerThatWaits: it sends the headers of its answer at once.
func TestStreamsOfAServerThatWaits(t *testing.T) {
	waiting.Ends(t, waiting.GRPC(t), dubbo.Variants()[1])
}
