package self

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnotherFileIsAnotherBuild(t *testing.T) {
	tests := []struct {
		about string
		build func(path string) error
		same  bool
	}{
		{"nobody built", func(string) error { return nil }, true},
		{"only its rights changed", func(path string) error { return os.Chmod(path, 0o700) }, true},
		{"another file took its name", func(path string) error {
			return os.WriteFile(path+".new", []byte("one"), 0o600)
		}, false},
		{"it was written over by another of the same size", func(path string) error {
			return os.Chtimes(path, time.Time{}, time.Unix(1, 0))
		}, false},
		{"it was written over by a longer one", func(path string) error {
			return os.WriteFile(path, []byte("three"), 0o600)
		}, false},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), "x.test")
		require.NoError(t, os.WriteFile(path, []byte("one"), 0o600))
		before, err := os.Stat(path)
		require.NoError(t, err)
		require.NoError(t, test.build(path))
		if _, err := os.Stat(path + ".new"); err == nil {
			require.NoError(t, os.Rename(path+".new", path))
		}
		now, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, test.same, same(before, now), test.about)
	}
	assert.EqualError(t, errAnother("bin/x.test"), "x.test was built again during the run: another process of it would be another build; run again")
}
