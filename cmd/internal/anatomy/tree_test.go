package anatomy

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTree has Go run these tests again when a file of the repository has changed: they
// read what Go does not see. make sets the variable.
func TestTree(*testing.T) { _ = os.Getenv("RPCBENCH_TREE") }

// TestEveryFrameworkIsKnown: each package that an adapter imports has a line in the table, so that
// a new framework is not the rest.
func TestEveryFrameworkIsKnown(t *testing.T) {
	files, err := filepath.Glob("../../../frameworks/*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	table := NewTable(nil)
	for _, file := range files {
		for _, path := range imports(t, file) {
			assert.True(t, isLibrary(path) || table.rule(path+".F").part != "", "%s imports %s: add a line to rules.go", file, path)
		}
	}
}

// imports are the packages that a file of an adapter imports; none of a test.
func imports(t *testing.T, file string) (paths []string) {
	if strings.HasSuffix(file, "_test.go") {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	require.NoError(t, err)
	for _, one := range f.Imports {
		path, err := strconv.Unquote(one.Path.Value)
		require.NoError(t, err)
		paths = append(paths, path)
	}
	return paths
}
