package protobuf

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

// The bench message is known by its size, and results of other benchmarks can
// only be compared while it keeps it.
func TestBenchMessageSize(t *testing.T) {
	var m BenchMessage
	framework.Fill(&m)
	b, err := proto.Marshal(&m)
	require.NoError(t, err)
	require.Len(t, b, framework.MessageSize)
}
