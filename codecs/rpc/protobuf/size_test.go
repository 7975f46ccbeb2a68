package protobuf

import (
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

// The bench message must have 581 bytes, as in other benchmarks. Otherwise their
// results cannot be compared with ours.
func TestBenchMessageSize(t *testing.T) {
	var m BenchMessage
	message.Fill(&m)
	b, err := proto.Marshal(&m)
	require.NoError(t, err)
	require.Len(t, b, 581)
}
