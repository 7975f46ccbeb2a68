package rpcbench_test

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

// walls say which directories, with those below them, may import a package
// and those below it. Tests may import what they like.
var walls = []struct {
	about  string
	path   string
	rooms  []string
	except []string // below path, and open to all
}{
	{"a framework is imported by its own directory alone", "google.golang.org/grpc", []string{"frameworks/grpc", "cmd/tools"}, nil},
	{"a framework is imported by its own directory alone", "github.com/cloudwego", []string{"frameworks/kitex"}, nil},
	{"a framework is imported by its own directory alone", "github.com/smallnest/rpcx", []string{"frameworks/rpcx"}, nil},
	{"a framework is imported by its own directory alone", "github.com/lesismal", []string{"frameworks/arpc"}, nil},
	{"a framework is imported by its own directory alone", "net/rpc", []string{"frameworks/netrpc"}, nil},
	{"benchmarks are a matter of the bridge and the suites", "testing", []string{"loadgen/loadbench", "frameworks/suite"}, nil},
	{"processes are a matter of the host", "os/exec", []string{"frameworks/suite/host", "cmd"}, nil},
	{"adapters know the suite, and nobody an adapter", "github.com/rpcbench/rpcbench/frameworks", []string{"frameworks"}, []string{"github.com/rpcbench/rpcbench/frameworks/suite"}},
	{"loadgen knows no RPC", "github.com/rpcbench/rpcbench/frameworks/suite", []string{"frameworks"}, nil},
}

func TestWalls(t *testing.T) {
	for file, imports := range sources(t) {
		for _, path := range imports {
			for _, w := range walls {
				if below(path, []string{w.path}) && !below(path, w.except) && !below(file, w.rooms) {
					t.Errorf("%s imports %s: %s", file, path, w.about)
				}
			}
		}
	}
}

// sources lists the imports of every Go file of every module, tests left out.
func sources(t *testing.T) map[string][]string {
	imports := map[string][]string{}
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
			imports[filepath.ToSlash(file)] = append(imports[filepath.ToSlash(file)], path)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(imports), 30)
	return imports
}

// below reports whether path is one of the roots or below one.
func below(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return path == root || strings.HasPrefix(path, root+"/")
	})
}
