package adapters_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A serializer's module is imported only by its own directory, and by code generated
// for it. The directory has the name of the codec= without the variant. Otherwise the
// figures of one serializer could come from another's code. The messages of hyperpb are
// made for protobuf's reflection, and those of a user are protobuf's, whatever encodes them.
func TestSerializersAreImportedByTheirOwnDirectoryAlone(t *testing.T) {
	const protobuf = "google.golang.org/protobuf"
	ofProtobuf := []string{"hyperpb", "message", "plain"}
	rooms := map[string]string{} // by module
	for _, e := range entries {
		if e.Module != "" {
			rooms[e.Module], _, _ = strings.Cut(e.Codec, "_")
		}
	}
	met := map[string]bool{}
	eachImport(t, func(file, path string) {
		for module, room := range rooms {
			if path != module && !strings.HasPrefix(path, module+"/") {
				continue
			}
			met[module] = true
			in, _, _ := strings.Cut(file, "/")
			if in != room && in != "internal" && (module != protobuf || !slices.Contains(ofProtobuf, in)) {
				t.Errorf("%s imports %s, which is for %s alone", file, path, room)
			}
		}
	})
	require.Len(t, met, len(rooms), "each is imported somewhere")
}

// eachImport calls f for the imports of every Go file except tests.
func eachImport(t *testing.T, f func(file, path string)) {
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range parsed.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			f(filepath.ToSlash(file), path)
		}
		return nil
	})
	require.NoError(t, err)
}
