package schema

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/bufbuild/protocompile"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/regular"
)

// largest is how large a .proto file may be, in bytes.
const largest = 16 << 20

// sources finds .proto files below the directories of imports.
type sources struct{ imports []string }

// missingError is a file that is in none of the directories.
type missingError struct{ name string }

func (e missingError) Error() string { return e.name + " is missing" }

// FindFileByPath opens a file. What is no file, such as a named pipe, is refused.
func (s sources) FindFileByPath(name string) (protocompile.SearchResult, error) {
	for _, dir := range s.imports {
		file, err := regular.Open(filepath.Join(dir, filepath.FromSlash(name)), largest)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return protocompile.SearchResult{Source: file}, err
	}
	return protocompile.SearchResult{}, missingError{name}
}
