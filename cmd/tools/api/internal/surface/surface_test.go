package surface

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		about, code string
		want        []string
	}{
		{"what is not exported has no line", "func f() {}; type t struct{ A int }; var v int; const c = 1", nil},
		{"a constant has its type and value", "const A = 1; const B T = 2; const C = \"x\"; const D = .5; type T int", []string{
			"const A untyped int = 1", "const B T = 2", `const C untyped string = "x"`, "const D untyped float = 0.5", "type T int",
		}},
		{"a function has no names of parameters", "func F(n, m int, f func(s string) error, more ...bool) (k int, err error) { return }", []string{"func F(int, int, func(string) error, ...bool) (int, error)"}},
		{"and its own with their constraints", "func F[A any, B ~int | ~string](a A, b B) {}", []string{"func F[A any, B ~int | ~string](A, B)"}},
		{"a field stands with its tag", "type T struct { A, B int; C string `json:\"c\"`; d int }", []string{"type T struct", "type T struct, A int", "type T struct, B int", "type T struct, C string `json:\"c\"`"}},
		{"what is embedded has a line if it has a name", "type T struct { U; w }; type U struct{ A int }; func (U) M() {}; type w struct { B int; c int }; func (w) N() {}", []string{
			"type T struct", "type T struct, embedded U", "type T struct, B int", "method (T) N()", "type U struct", "type U struct, A int", "method (U) M()",
		}},
		{"methods have their receivers", "type T int; func (T) A() {}; func (*T) B(n int) {}; func (T) c() {}", []string{"type T int", "method (T) A()", "method (*T) B(int)"}},
		{"so have those of generic types", "type T[K comparable] struct{}; func (t *T[K]) A(k K) {}", []string{"type T[K comparable] struct", "method (*T[K]) A(K)"}},
		{"an interface has its methods", "type T interface { A(n int); b() }", []string{"type T interface", "type T interface, A(int)", "type T interface, methods that only its package has"}},
		{"another name for a type", "type T = map[string]int", []string{"type T = map[string]int"}},
	} {
		var want []string
		for _, l := range c.want {
			want = append(want, "pkg p, "+l)
		}
		assert.Equal(t, want, Package(checked(t, "package p; "+c.code)), c.about)
	}
}

func checked(t *testing.T, code string) *types.Package {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", code, 0)
	require.NoError(t, err)
	p, err := new(types.Config).Check("github.com/rpcbench/rpcbench/p", set, []*ast.File{file}, nil)
	require.NoError(t, err)
	return p
}

// TestLoad reads a module that has one package for users.
func TestLoad(t *testing.T) {
	root := t.TempDir()
	for file, text := range map[string]string{
		"m/go.mod":                "module example.com/m\n\ngo 1.26.0\n",
		"m/public/p.go":           "package public\n\nfunc F() {}\n",
		"m/internal/x/x.go":       "package x\n\nfunc F() {}\n",
		"m/cmd/tool/main.go":      "package main\n\nfunc main() {}\n",
		"m/cmd/tool/part/p.go":    "package part\n\nfunc F() {}\n",
		"m/internal/made/main.go": "package main\n\nfunc main() {}\n",
	} {
		path := filepath.Join(root, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	m, err := Load(root, "m")
	require.NoError(t, err)
	assert.Equal(t, []string{"m/cmd/tool"}, m.Commands)
	assert.Equal(t, []string{"go 1.26.0", "pkg example.com/m/public, func F()"}, m.Lines())
}
