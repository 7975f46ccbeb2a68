// Package module writes the Go modules in which a user's message is measured.
package module

import (
	"bytes"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// repository is the path of rpcbench's root module.
const repository = "github.com/rpcbench/rpcbench"

// Module is one that requires a module of rpcbench's tree, at the versions of that module.
type Module struct {
	Path string // its own path
	Dir  string
	Root string // the directory of rpcbench
	Of   string // the directory below Root of the module that it requires
}

// Write writes go.mod and go.sum: those of the required module, so that go resolves nothing
// anew.
func (m Module) Write() error {
	text, err := os.ReadFile(m.path("go.mod"))
	if err != nil {
		return err
	}
	text, err = m.goMod(text)
	if err != nil {
		return err
	}
	if err := Put(filepath.Join(m.Dir, "go.mod"), text); err != nil {
		return err
	}
	sum, err := os.ReadFile(m.path("go.sum"))
	if err != nil {
		return err
	}
	return Put(filepath.Join(m.Dir, "go.sum"), sum)
}

// path is the path of a file of the required module.
func (m Module) path(name string) string {
	return filepath.Join(m.Root, filepath.FromSlash(m.Of), name)
}

// goMod is the go.mod of the module, from the one of the required module.
func (m Module) goMod(text []byte) ([]byte, error) {
	f, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	required := f.Module.Mod.Path
	for _, r := range f.Replace {
		if modfile.IsDirectoryPath(r.New.Path) {
			if err := f.AddReplace(r.Old.Path, r.Old.Version, m.path(r.New.Path), ""); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range f.Tool {
		if err := f.DropTool(t.Path); err != nil {
			return nil, err
		}
	}
	if err := f.AddModuleStmt(m.Path); err != nil {
		return nil, err
	}
	f.AddNewRequire(required, "v0.0.0", false)
	if err := f.AddReplace(required, "", filepath.Dir(m.path("go.mod")), ""); err != nil {
		return nil, err
	}
	f.Cleanup()
	return f.Format()
}

// Put writes a file unless it has that text: what has not changed is not compiled again.
func Put(file string, text []byte) error {
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
