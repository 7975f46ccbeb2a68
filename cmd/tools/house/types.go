package main

import (
	"go/ast"
	"go/types"
	"path"
	"strings"
)

// checker checks the types of packages, each once. It imports those of the repository,
// and takes others to be empty.
type checker struct {
	*repository
	done map[string]checked // by their paths
}

// checked is a package with its types.
type checked struct {
	types *types.Package
	uses  map[*ast.Ident]types.Object // what its files name; nil for a package that is not of the repository
}

func newChecker(r *repository) checker { return checker{r, map[string]checked{}} }

// Import makes a checker a types.Importer.
func (c checker) Import(path string) (*types.Package, error) { return c.check(path).types, nil }

// check checks a package and what it imports. Errors in it are no matter here: what can be
// known of its types is.
func (c checker) check(importPath string) checked {
	if known, ok := c.done[importPath]; ok {
		return known
	}
	empty := types.NewPackage(importPath, path.Base(importPath))
	empty.MarkComplete()
	c.done[importPath] = checked{types: empty} // also of one that imports itself
	p := c.packages[c.dir(importPath)]
	if p == nil {
		return c.done[importPath]
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	t, _ := config.Check(importPath, c.set, p.trees, info)
	c.done[importPath] = checked{t, info.Uses}
	return c.done[importPath]
}

// path returns a package's path by its directory.
func (c checker) path(dir string) string { return path.Join(c.module, dir) }

// dir returns the directory of a package by its path, "" for a package that is not of the
// repository.
func (c checker) dir(importPath string) string {
	if importPath == c.module {
		return "."
	}
	dir, ok := strings.CutPrefix(importPath, c.module+"/")
	if !ok {
		return ""
	}
	return dir
}

// owners are the struct types of a package by their fields: a field does not know its own.
type owners map[*types.Var]string

func ownersIn(p *types.Package) owners {
	o := owners{}
	for _, name := range p.Scope().Names() {
		t, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		if s, ok := t.Type().Underlying().(*types.Struct); ok {
			for field := range s.Fields() {
				o[field] = name
			}
		}
	}
	return o
}

// name names an object of a package: a field or a method with its type.
func (o owners) name(object types.Object) string {
	switch object := object.(type) {
	case *types.Var:
		if object.IsField() {
			return o[object.Origin()] + "." + object.Name()
		}
	case *types.Func:
		if recv := object.Signature().Recv(); recv != nil {
			return typeName(recv.Type()) + "." + object.Name()
		}
	}
	return object.Name()
}

// typeName is the name of a receiver's type, "" for an interface without a name.
func typeName(t types.Type) string {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}
