package builds

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnotherFileIsAnotherBuild(t *testing.T) {
	write := func(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
	for _, c := range []struct {
		about string
		build func(path string) error
		same  bool
	}{
		{"nobody built", func(string) error { return nil }, true},
		{"only its rights changed", func(path string) error { return os.Chmod(path, 0o700) }, true},
		{"it is gone, which starting it tells", os.Remove, true},
		{"another file took its name", func(path string) error {
			return os.Rename(path+".new", path)
		}, false},
		{"it was written over by another of the same size", func(path string) error {
			return os.Chtimes(path, time.Time{}, time.Unix(1, 0))
		}, false},
		{"it was written over by a longer one", func(path string) error { return write(path, "three") }, false},
	} {
		path := filepath.Join(t.TempDir(), "x.test")
		require.NoError(t, write(path, "one"))
		require.NoError(t, write(path+".new", "one"))
		known := Known{}
		require.NoError(t, known.Check(path, "round 1 would measure"), c.about)
		require.NoError(t, c.build(path))
		err := known.Check(path, "round 2 would measure")
		assert.Equal(t, c.same, err == nil, c.about)
		if !c.same {
			assert.EqualError(t, err, path+" was built again during the run: round 2 would measure another build; run again")
		}
		assert.NoError(t, Known(nil).Check(path, ""), "who knows nothing finds nothing")
	}
}
