package transfer

import (
	"testing"

	"github.com/rpcbench/rpcbench/codecs/adapters/internal/opaque"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/pb"
	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
)

func large(t *testing.T) *pb.Large {
	t.Helper()
	m := new(pb.Large)
	require.NoError(t, suite.Convert(m, messages.KindLarge.Seeded(1)))
	return m
}

// TestCopy copies messages to and from each kind of struct.
func TestCopy(t *testing.T) {
	from := large(t)
	for _, c := range []struct {
		about string
		by    proto.Message
	}{
		{"the same type", new(pb.Large)},
		{"the same type with something in it", large(t)},
		{"another package", new(opaque.Large)},
	} {
		t.Run(c.about, func(t *testing.T) {
			require.NoError(t, Copy(c.by, from))
			back := new(pb.Large)
			require.NoError(t, Copy(back, c.by))
			assert.True(t, proto.Equal(from, back))
			back.Items[0].Blob[0]++
			assert.False(t, proto.Equal(from, back), "the memory is its own")
		})
	}
	plain := new(messages.Large)
	require.NoError(t, Copy(plain, from), "fields have the same names")
	assert.Equal(t, messages.KindLarge.Seeded(1), plain)
	assert.EqualError(t, Copy(new(opaque.Small), from), "cannot convert rpcbench.Large to rpcbench.opaque.Small")
}

func TestConversion(t *testing.T) {
	built := false
	given := Conversion(suite.Conversion[pb.Large]{Build: func(*pb.Large, any) error { built = true; return nil }})
	require.NoError(t, given.Build(nil, nil))
	assert.True(t, built, "what is given is taken")
	assert.Nil(t, given.Read)
	assert.Nil(t, Conversion(suite.Conversion[messages.Large]{}).Build, "a struct of Go is not for protobuf")
	var m pb.Large
	require.NoError(t, Conversion(suite.Conversion[pb.Large]{}).Build(&m, large(t)))
	assert.True(t, proto.Equal(large(t), &m))
}
