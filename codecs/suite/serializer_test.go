package suite

import (
	"errors"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func nothingDecoded(_ []byte, _ *messages.Small) error { return nil }

// What only decodes gets encodings of its input, and none of what encoding costs.
func TestDecodersAlone(t *testing.T) {
	wrong := errors.New("wrong")
	input := func(m any) ([]byte, error) {
		if m.(*messages.Small).Name == "" {
			return nil, wrong
		}
		return []byte("input"), nil
	}
	c := Of(func() Serializer[messages.Small] {
		return Serializer[messages.Small]{Input: input, Unmarshal: nothingDecoded}
	})
	b := c.make()
	require.NoError(t, b.Load(messages.KindSmall.Sample(2)))
	assert.Equal(t, [][]byte{[]byte("input"), []byte("input")}, b.Encoded())
	for _, op := range bed.Operations {
		assert.Equal(t, op == bed.Unmarshal || op == bed.UnmarshalReuse, b.Can(op), op)
	}
	src, err := b.Encode(bed.Marshal, []byte("an "), messages.KindSmall.Seeded(0))
	require.NoError(t, err)
	assert.Equal(t, "an input", string(src))
	_, err = b.Encode(bed.MarshalFresh, nil, new(messages.Small))
	assert.ErrorIs(t, err, wrong)
	assert.ErrorIs(t, b.Load([]any{new(messages.Small)}), wrong)

	e := Entry{Codec: "reader", Bench: c, Small: c}
	assert.False(t, e.encodes())
}

func TestSerializersWithoutAppend(t *testing.T) {
	wrong := errors.New("wrong")
	b := Of(func() Serializer[messages.Small] {
		return Serializer[messages.Small]{
			Marshal:   func(*messages.Small) ([]byte, error) { return nil, wrong },
			Unmarshal: nothingDecoded,
		}
	}).make()
	assert.EqualError(t, b.Load(messages.KindSmall.Sample(1)), "message 0: wrong")
	assert.False(t, b.Can(bed.Marshal))
	assert.True(t, b.Can(bed.MarshalFresh))
	assert.Error(t, b.Load([]any{&struct{ Other int }{}}), "it cannot be built")
}
