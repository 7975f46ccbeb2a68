package folder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.json", "a.json", "A.json", "._a.json", ".part-1-a.json", ".json", ".DS_Store", "Thumbs.db", "desktop.ini", "a.json~", "a.JSON.bak", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "c.json"), 0o700))
	files, others, err := Files(dir, ".json")
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "A.json"), filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")}, files)
	assert.Equal(t, Others{10, filepath.Join(dir, ".DS_Store")}, others)
	assert.Equal(t, "it is not one of the records, and neither are 9 more files there", others.Why("records"))
	assert.Equal(t, "it is not one of the records", Others{1, "x"}.Why("records"))
	assert.Empty(t, Others{}.Why("records"))
	_, _, err = Files(filepath.Join(dir, "none"), ".json")
	assert.ErrorIs(t, err, os.ErrNotExist)
}
