package records

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		about, json string
		want        []string
	}{
		{"values have types", `{"b":1,"a":"x","c":true}`, []string{".a string", ".b number", ".c boolean"}},
		{"those in others have paths", `{"a":{"b":[{"c":1}]}}`, []string{".a.b[].c number"}},
		{"a format has its number", `{"format":3}`, []string{".format 3"}},
	} {
		lines, err := Keys([]byte(c.json))
		require.NoError(t, err)
		assert.Equal(t, c.want, lines, c.about)
	}
}

// TestAllKindsOfFiles: what is read back has a number, of its own or of its format.
func TestAllKindsOfFiles(t *testing.T) {
	lines, err := Lines()
	require.NoError(t, err)
	for _, want := range []string{
		"loadgen/record JSON: .format 1", "loadgen JSON: .format 1", "loadgen JSON: .summary.response.p99_9_ns number",
		"loadgen histogram: begins HISTFA", "loadgen/hdr log: #[Histogram log format version 1.3]", "benchhistory record: history: 1",
	} {
		assert.Contains(t, lines, want)
	}
}
