package grpc_test

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/grpc"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/waiting"
)

func TestStreamsOfAServerThatWaits(t *testing.T) {
	var streaming []framework.Variant
	for _, v := range grpc.Variants() {
		if v.Streams {
			streaming = append(streaming, v)
		}
	}
	waiting.Ends(t, waiting.GRPC(t), streaming...)
}
