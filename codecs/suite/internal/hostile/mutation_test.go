package hostile

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMutationsAreTheSameInEveryRun(t *testing.T) {
	list, err := good.seeds()
	require.NoError(t, err)
	for n := range 200 {
		assert.Equal(t, mutationOf(list, n), mutationOf(list, n))
	}
	for _, s := range list {
		assert.NotEqual(t, []int{0}, s.lengths, "no length was found")
	}
}

// The mutations are the same in every release: results that were kept are about them.
// Whoever changes them on purpose measures again, and changes the sum here.
func TestMutationsAreThoseOfTheKeptResults(t *testing.T) {
	sum := sha256.New()
	list, err := good.seeds()
	require.NoError(t, err)
	for n := range 1200 {
		m := mutationOf(list, n)
		fmt.Fprintln(sum, m.about, m.kind, len(m.src))
		sum.Write(m.src)
	}
	assert.Equal(t, "4b4d1cd5727ed481", fmt.Sprintf("%x", sum.Sum(nil)[:8]))
}
