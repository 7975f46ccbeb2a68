package messages_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSeededMessages(t *testing.T) {
	for _, kind := range append(messages.Measured, messages.KindNext, messages.KindMapped) {
		t.Run(kind.Name, func(t *testing.T) {
			assert.Equal(t, kind.Seeded(7), kind.Seeded(7), "the same in every run")
			assert.NotEqual(t, kind.Seeded(7), kind.Seeded(8), "and different from each other")
		})
	}
}

// The messages are the same in every release: results that were kept are about them.
// Whoever changes them on purpose measures again, and changes the sum here.
func TestMessagesAreThoseOfTheKeptResults(t *testing.T) {
	sum := sha256.New()
	for _, kind := range append(messages.Measured, messages.KindNext, messages.KindMapped) {
		for n := range 8 {
			text, err := json.Marshal(kind.Seeded(n))
			require.NoError(t, err)
			fmt.Fprintf(sum, "%s %s\n", kind.Name, text)
		}
	}
	assert.Equal(t, "f5b63e786ecb318f", fmt.Sprintf("%x", sum.Sum(nil)[:8]))
}

func TestMessagesAreReset(t *testing.T) {
	for _, kind := range append(messages.Measured, messages.KindNext, messages.KindMapped) {
		m := kind.Seeded(0)
		switch m := m.(type) {
		case *messages.Bench:
			m.Field5 = []uint64{1, 2}
		case *messages.Flat:
			m.Field5 = []uint64{1, 2}
		}
		m.(interface{ Reset() }).Reset()
		empty := kind.New()
		require.NoError(t, suite.Convert(empty, m)) // which does not tell empty lists from nil
		assert.Equal(t, kind.New(), empty, kind.Name)
	}
	large := messages.KindLarge.Seeded(0).(*messages.Large)
	large.Reset()
	item := large.Items[:32][31]
	assert.Equal(t, messages.Label{}, item.Labels[:1][0])
	assert.NotZero(t, cap(item.Vals))
	assert.NotZero(t, cap(item.Blob))
	bench := &messages.Bench{Field5: make([]uint64, 3)}
	bench.Reset()
	assert.Equal(t, 3, cap(bench.Field5))
}
