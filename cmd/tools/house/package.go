package main

import (
	"go/ast"
	"go/token"
)

// pkg is a package, without tests and generated files.
type pkg struct {
	dir     string // below the root
	trees   []*ast.File
	names   []string // of the files, in the order of trees
	lines   int      // of all files
	longest int      // lines of the longest function, 0 without functions
	structs []structure
}

// structure is a named struct type.
type structure struct {
	name   string
	fields []string // their names, "" for an embedded type
}

// count adds a file and what is counted of it.
func (p *pkg) count(set *token.FileSet, name string, tree *ast.File) {
	p.trees, p.names = append(p.trees, tree), append(p.names, name)
	p.lines += set.File(tree.FileStart).LineCount()
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			p.longest = max(p.longest, set.Position(n.End()).Line-set.Position(n.Pos()).Line+1)
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok {
				p.structs = append(p.structs, structure{n.Name.Name, fieldNames(s)})
			}
		}
		return true
	})
}

// fieldNames lists the names of a struct's fields, "" for an embedded type.
func fieldNames(s *ast.StructType) (names []string) {
	for _, field := range s.Fields.List {
		if len(field.Names) == 0 {
			names = append(names, "")
		}
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// largest is the struct with the most fields, or the zero structure.
func (p *pkg) largest() (most structure) {
	for _, s := range p.structs {
		if len(s.fields) > len(most.fields) {
			most = s
		}
	}
	return most
}
