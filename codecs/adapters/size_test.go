package adapters_test

import (
	"hash/crc32"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/adapters/internal/pb"
	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

// The bench message must have 581 bytes, as in other benchmarks. Otherwise their
// results cannot be compared with ours.
func TestBenchMessagesHave581Bytes(t *testing.T) {
	for i := range 4096 {
		var m pb.BenchMessage
		require.NoError(t, suite.Convert(&m, messages.KindBench.Seeded(i)))
		require.Equal(t, 581, proto.Size(&m), "message %d", i)
	}
}

func TestSmallAndLargeHaveTheirUsualSizes(t *testing.T) {
	small, large := 0, 0
	for i := range 256 {
		var s pb.Small
		var l pb.Large
		require.NoError(t, suite.Convert(&s, messages.KindSmall.Seeded(i)))
		require.NoError(t, suite.Convert(&l, messages.KindLarge.Seeded(i)))
		small, large = small+proto.Size(&s), large+proto.Size(&l)
	}
	require.InDelta(t, 27, small/256, 2)
	require.InDelta(t, 7400, large/256, 200)
}

// TestFrameworksSendTheSameLargeMessages: package large of the frameworks has the same test with
// the same sum.
func TestFrameworksSendTheSameLargeMessages(t *testing.T) {
	sum := crc32.NewIEEE()
	for n := range 64 {
		var m pb.Large
		require.NoError(t, suite.Convert(&m, messages.KindLarge.Seeded(n)))
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(&m)
		require.NoError(t, err)
		_, _ = sum.Write(b)
	}
	require.EqualValues(t, 0x266eac97, sum.Sum32())
}
