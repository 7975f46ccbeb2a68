package rpcbench_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCopiesAreEqual compares the copies of what several modules need, of which
// none requires another.
func TestCopiesAreEqual(t *testing.T) {
	const original = "cmd/internal/commandline/"
	for _, dir := range []string{"frameworks/suite/internal/commandline/", "codecs/suite/internal/commandline/"} {
		copies, err := filepath.Glob(dir + "*.go")
		require.NoError(t, err)
		assert.Len(t, copies, 3, dir)
		for _, file := range copies {
			name := strings.TrimPrefix(filepath.ToSlash(file), dir)
			assert.Equal(t, read(t, original+name), read(t, file), "%s and its original; copy %s to the other modules", file, original)
		}
	}
}
