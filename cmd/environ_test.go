package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEnvironmentsAreChosen wants each command's children to get an environment of package
// environ. The tools of this repository's own are a module that does not have it, links gives
// go what it got, and release needs who commits, which environ leaves out.
func TestEnvironmentsAreChosen(t *testing.T) {
	starts, chooses := regexp.MustCompile(`exec\.Command(Context)?\(`), regexp.MustCompile(`\benviron\.(Tools|Measured)\(`)
	found := 0
	require.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || slices.Contains([]string{"tools", "internal/links", "internal/release"}, filepath.ToSlash(file)) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(file)
		n := len(starts.FindAll(text, -1))
		found += n
		assert.LessOrEqual(t, n, len(chooses.FindAll(text, -1)), "%s starts a process with an environment that is not chosen", file)
		return err
	}))
	assert.GreaterOrEqual(t, found, 7, "processes that are started")
}
