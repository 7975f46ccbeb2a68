// Package surface is what users of a module can name: its exported declarations, as lines of
// text that are compared.
package surface

import (
	"errors"
	"fmt"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// Module is a module that is released.
type Module struct {
	Dir      string // below the root of the repository, as in "frameworks/suite"
	Path     string
	Go       string // the version of Go that its users need
	Public   []*types.Package
	Commands []string // directories of its programs, below the root
}

// Load reads the module in a directory of the repository.
func Load(root, dir string) (m Module, err error) {
	m.Dir = dir
	text, err := os.ReadFile(filepath.Join(root, dir, "go.mod"))
	if err != nil {
		return m, err
	}
	file, err := modfile.Parse(dir+"/go.mod", text, nil)
	if err != nil {
		return m, err
	}
	m.Path, m.Go = file.Module.Mod.Path, file.Go.Version
	return m, m.load(filepath.Join(root, dir))
}

// load finds the packages, and reads the types of those that are public.
func (m *Module) load(dir string) error {
	all, err := list(dir, packages.NeedName, "./...")
	if err != nil {
		return err
	}
	public := m.split(all)
	if len(public) == 0 {
		return nil
	}
	loaded, err := list(dir, packages.NeedName|packages.NeedTypes, public...)
	for _, p := range loaded {
		m.Public = append(m.Public, p.Types)
	}
	return err
}

// split finds the commands, and returns the packages that are public.
func (m *Module) split(all []*packages.Package) (public []string) {
	var commands []string
	for _, p := range all {
		if p.Name == "main" && !internal(p.PkgPath) {
			commands = append(commands, p.PkgPath)
			m.Commands = append(m.Commands, path.Join(m.Dir, strings.TrimPrefix(p.PkgPath, m.Path)))
		}
	}
	for _, p := range all {
		if p.Name != "main" && !internal(p.PkgPath) && !below(p.PkgPath, commands) {
			public = append(public, p.PkgPath)
		}
	}
	return public
}

func internal(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }

// below reports whether a package is a part of a command.
func below(path string, commands []string) bool {
	return slices.ContainsFunc(commands, func(c string) bool { return strings.HasPrefix(path, c+"/") })
}

// list has go list read packages. The export data that types are read from are those that make
// lint and make test have compiled.
func list(dir string, mode packages.LoadMode, patterns ...string) ([]*packages.Package, error) {
	all, err := packages.Load(&packages.Config{
		Mode: mode, Dir: dir, BuildFlags: []string{"-trimpath"},
		Env: append(os.Environ(), "GOWORK=off", "GOOS=linux", "GOARCH=amd64"),
	}, patterns...)
	for _, p := range all {
		for _, e := range p.Errors {
			err = errors.Join(err, fmt.Errorf("%s: %s", p.PkgPath, e.Msg))
		}
	}
	return all, err
}
