package large

import (
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

// TestTheMessagesAreTheSerializers: the codecs' module has the same test with the same sum.
func TestTheMessagesAreTheSerializers(t *testing.T) {
	sum := crc32.NewIEEE()
	for n := range samples {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(nth(n))
		require.NoError(t, err)
		_, _ = sum.Write(b)
	}
	assert.EqualValues(t, 0x266eac97, sum.Sum32())
	x := Exchange()
	require.NoError(t, x.Sent().Fault)
	assert.InDelta(t, 7400, x.Size, 200)
	assert.False(t, x.Sent().Unmarked)
}
