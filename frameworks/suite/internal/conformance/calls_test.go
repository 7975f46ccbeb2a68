package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDifferences(t *testing.T) {
	many := map[string]any{"A": 1, "B": 1, "C": 1, "D": 1, "E": 1, "F": 1, "G": 1}
	for _, c := range []struct {
		about     string
		want, got map[string]any
		says      string
	}{
		{"the same", many, many, ""},
		{"a field that is not there", map[string]any{"A": int32(7), "B": "x"}, map[string]any{"B": "x"}, "A: 7 was sent, and nothing came"},
		{"another value", map[string]any{"A": "x"}, map[string]any{"A": ""}, `A: "x" was sent, and "" came`},
		{"a field too many", map[string]any{}, map[string]any{"A": true}, "A: nothing was sent, and true came"},
		{"two", map[string]any{"B": 1, "A": 1}, map[string]any{"B": 2, "A": 2}, "A: 1 was sent, and 2 came; B: 1 was sent, and 2 came"},
		{"many", many, map[string]any{"A": 1}, "B: 1 was sent, and nothing came; C: 1 was sent, and nothing came; D: 1 was sent, and nothing came; E: 1 was sent, and nothing came; F: 1 was sent, and nothing came; and 1 more fields"},
		{"a long text of two lines", map[string]any{"A": 1}, map[string]any{"A": strings.Repeat("x\n", 1000)}, "A: 1 was sent, and \"" + strings.Repeat(`x\n`, 30) + "\" came"},
	} {
		assert.Equal(t, c.says, differences(c.want, c.got), c.about)
	}
}
