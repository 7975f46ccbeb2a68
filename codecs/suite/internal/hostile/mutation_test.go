package hostile

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
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

// letter is a message of one's own.
type letter struct {
	Name  string
	Lines []string
	To    *letter
	Notes []int
	sent  bool
}

func TestMessagesOfOnesOwnGrow(t *testing.T) {
	own := &letter{Name: "a", Lines: []string{"b"}, To: &letter{sent: true}}
	for _, c := range []struct {
		about string
		want  letter
	}{
		{"by a letter", letter{Name: "ax", Lines: []string{"b"}, To: own.To}},
		{"by a line like the first", letter{Name: "a", Lines: []string{"b", "b"}, To: own.To}},
		{"by a letter in it", letter{Name: "a", Lines: []string{"bx"}, To: own.To}},
		{"behind a pointer", letter{Name: "a", Lines: []string{"b"}, To: &letter{Name: "x", sent: true}}},
		{"and by a line there", letter{Name: "a", Lines: []string{"b"}, To: &letter{Lines: []string{""}, sent: true}}},
		{"and a number", letter{Name: "a", Lines: []string{"b"}, To: &letter{Notes: []int{0}, sent: true}}},
		{"and one here", letter{Name: "a", Lines: []string{"b"}, To: own.To, Notes: []int{0}}},
	} {
		assert.Contains(t, grown(own), &c.want, c.about)
	}
	assert.Len(t, grown(own), 7)
	assert.Equal(t, &letter{Name: "a", Lines: []string{"b"}, To: &letter{sent: true}}, own, "it is left as it was")
	assert.Empty(t, grown(&struct{ sent bool }{}), "nothing in it has a length")
}

func TestAnEmptyEncodingIsMutated(t *testing.T) {
	kind := messages.Listed("letter", func() any { return new(letter) }, []any{&letter{}})
	empty := Target{Kinds: []Kind{{kind, func(any) ([]byte, error) { return nil, nil }, nil}}}
	list, err := empty.seeds()
	require.NoError(t, err)
	for n := range 5 * len(mutators) {
		assert.NotPanics(t, func() { mutationOf(list, n) })
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
