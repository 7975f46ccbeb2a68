package builds

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOwn(t *testing.T) {
	b, err := Own()
	require.NoError(t, err)
	assert.Equal(t, filepath.Base(os.Args[0]), b.File)
	path, err := new(Shelf).Find(b)
	require.NoError(t, err)
	assert.Equal(t, os.Args[0], path)
}

// TestABuildIsFoundByWhatItIs and not by its name alone, also one directory below, and in a directory
// whose name is a pattern.
func TestABuildIsFoundByWhatItIs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[1]*")
	put := func(text string, path ...string) (file string, b Build) {
		file = filepath.Join(append([]string{dir}, path...)...)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o700))
		hash, err := hashOf(file)
		require.NoError(t, err)
		return file, Build{hash, filepath.Base(file)}
	}
	first, one := put("one", "x.test")
	below, two := put("two", "base", "x.test")
	_, three := put("three", "base", "below", "x.test")
	s := &Shelf{Dir: dir}
	for want, b := range map[string]Build{first: one, below: two} {
		for range 2 {
			path, err := s.Find(b)
			require.NoError(t, err)
			assert.Equal(t, want, path)
		}
	}
	_, err := s.Find(three)
	assert.ErrorContains(t, err, "there is no file of the build x.test (SHA-256 "+three.Hash[:12]+"…) in "+dir)
	put("another one", "x.test")
	_, err = s.Find(one)
	assert.Error(t, err, "it was built again")
	for _, name := range []string{"", "../x.test", strings.Repeat("a/", 9)} {
		_, err := s.Find(Build{one.Hash, name})
		assert.ErrorContains(t, err, "is no name of a file")
	}
}
