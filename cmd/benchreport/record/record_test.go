package record

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadDir(t *testing.T) {
	list, err := ReadDir("../testdata/records")
	require.NoError(t, err)
	require.Len(t, list, 8)
	for _, r := range list {
		assert.Contains(t, r.Name, "BenchmarkEcho/framework=")
		assert.InEpsilon(t, r.P50, float64(r.Response.ValueAtQuantile(50)), .01, "the histogram is that of the line, in ns")
	}
}

func TestWhatIsNoRecord(t *testing.T) {
	for name, c := range map[string]struct{ text, say string }{
		"an empty file":           {"", "not a record: unexpected end"},
		"other JSON":              {"{}", "not a record: run, name or result is missing"},
		"a histogram that is not": {`{"run":"r","name":"n","result":{"response":"xyz"}}`, "its response histogram: "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "x.json")
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o666))
			_, err := ReadDir(dir)
			assert.ErrorContains(t, err, file+": "+c.say)
		})
	}
}
