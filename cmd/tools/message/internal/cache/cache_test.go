package cache_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/cache"
)

// open opens the directory of a key as it was used hours ago. Nobody may use it.
func open(t *testing.T, base, key string, hours int) *cache.Directory {
	d, err := cache.Open(base, key, func() { t.Error(key, "is in use") })
	require.NoError(t, err)
	used := time.Now().Add(-time.Duration(hours) * time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(d.Path, "made-by-rpcbench-message"), used, used))
	return d
}

func TestOldestIsRemoved(t *testing.T) {
	base := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(base, "foreign"), 0o755))
	for i := range cache.Kept {
		require.NoError(t, open(t, base, strconv.Itoa(i), i+1).Close())
	}
	require.NoError(t, open(t, base, "0", 0).Close())
	assert.DirExists(t, filepath.Join(base, strconv.Itoa(cache.Kept-1)), "no more than are kept")
	require.NoError(t, open(t, base, "another", 0).Close())
	assert.NoDirExists(t, filepath.Join(base, strconv.Itoa(cache.Kept-1)), "the oldest goes")
	assert.DirExists(t, filepath.Join(base, strconv.Itoa(cache.Kept-2)))
	assert.DirExists(t, filepath.Join(base, "foreign"), "what is not ours stays")
}

// TestTheOldestOfLargeOnesIsRemoved has a file of a hole.
func TestTheOldestOfLargeOnesIsRemoved(t *testing.T) {
	base := t.TempDir()
	for i, key := range []string{"old", "new", "large"} {
		d := open(t, base, key, 3-i)
		file := filepath.Join(d.Path, "x")
		require.NoError(t, os.WriteFile(file, nil, 0o644))
		require.NoError(t, os.Truncate(file, map[string]int64{"new": 1, "large": cache.Most, "old": 1}[key]))
		require.NoError(t, d.Close())
	}
	require.NoError(t, open(t, base, "large", 0).Close())
	assert.DirExists(t, filepath.Join(base, "old"), "the one that is used does not count")
	require.NoError(t, open(t, base, "another", 0).Close())
	assert.DirExists(t, filepath.Join(base, "large"))
	assert.NoDirExists(t, filepath.Join(base, "new"))
	assert.NoDirExists(t, filepath.Join(base, "old"))
}

func TestDirectoryInUseStays(t *testing.T) {
	base := t.TempDir()
	used := open(t, base, "used", 100)
	for i := range cache.Kept {
		require.NoError(t, open(t, base, strconv.Itoa(i), i).Close())
	}
	assert.DirExists(t, used.Path)
	require.NoError(t, used.Close())
	require.NoError(t, open(t, base, "another", 0).Close())
	assert.NoDirExists(t, used.Path)
}

func TestSecondWaits(t *testing.T) {
	base, order := t.TempDir(), make(chan string, 2)
	first := open(t, base, "a", 0)
	waiting := make(chan struct{})
	go func() {
		second, err := cache.Open(base, "a", func() { close(waiting) })
		order <- "second"
		assert.NoError(t, err)
		assert.NoError(t, second.Close())
		close(order)
	}()
	<-waiting
	order <- "first"
	require.NoError(t, first.Close())
	assert.Equal(t, "first", <-order)
	assert.Equal(t, "second", <-order)
	<-order
}
