package property

import (
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A serializer that only decodes has no properties of an encoder.
func TestDecodersAlone(t *testing.T) {
	small := bed.Case{Kind: messages.KindSmall, New: func() bed.Bed {
		return bed.New(bed.Functions[messages.Small]{
			Input:     func(any) ([]byte, error) { return []byte("input"), nil },
			Unmarshal: func([]byte, *messages.Small) error { return nil },
			Read:      func(any, *messages.Small) error { return nil },
		})
	}}
	s := Subject{Cases: []bed.Case{small}}
	var p Properties
	require.NoError(t, s.text(&p))
	require.NoError(t, s.order(&p))
	assert.Equal(t, Properties{TextOut: "-", TextIn: "replaces", Deterministic: "-"}, p)
}
