package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// site is a statement, with the ways in which it may be changed.
type site struct {
	file    string // below the root
	line    int
	within  string // the function
	text    string
	nth     int // of the same text in the function
	changes []change
}

// change replaces a part of a file.
type change struct {
	from, to int // in bytes
	text     string
	what     string
}

func (s site) id() string {
	return digest(s.file, s.within, s.text, fmt.Sprint(s.nth))
}

// mutant is a site with one of its changes.
type mutant struct {
	site
	change
}

func (m mutant) id() string { return digest(m.site.id(), m.what) }

func (m mutant) String() string {
	return fmt.Sprintf("%s %s:%d: %s", m.id(), m.file, m.line, m.what)
}

// statements lists those of the repository's committed files that are compiled here
// and are neither tests nor generated.
func statements(root string) (list []site, err error) {
	out, err := exec.Command("git", "-C", root, "ls-files", "*.go").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	for _, file := range strings.Fields(string(out)) {
		dir, name := filepath.Split(filepath.Join(root, file))
		match, err := build.Default.MatchFile(dir, name)
		if err != nil {
			return nil, err
		}
		if !match || strings.HasSuffix(name, "_test.go") || file == "gomod.go" {
			continue
		}
		sites, err := parse(root, file)
		if err != nil {
			return nil, err
		}
		list = append(list, sites...)
	}
	return list, nil
}

// parse lists the statements of a file.
func parse(root, file string) ([]site, error) {
	source, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, source, parser.ParseComments)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	f := &finder{file: file, source: source, tokens: files.File(tree.Pos()), seen: map[string]int{}}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			f.function(fn.Name.Name, fn.Type, fn.Body)
		}
	}
	return f.sites, nil
}

// finder finds the statements of a file.
type finder struct {
	file   string
	source []byte
	tokens *token.File
	seen   map[string]int // texts of statements in their functions
	sites  []site
}

// function adds the statements of a function, and those of the functions in it.
func (f *finder) function(name string, t *ast.FuncType, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.function(name, n.Type, n.Body)
			return false
		case ast.Stmt:
			f.statement(name, t, n)
		}
		return true
	})
}

func (f *finder) statement(within string, t *ast.FuncType, s ast.Stmt) {
	changes := numbered(f.changes(t, s))
	if len(changes) == 0 {
		return
	}
	text := f.text(s)
	f.seen[within+text]++
	f.sites = append(f.sites, site{f.file, f.tokens.Line(s.Pos()), within, text, f.seen[within+text], changes})
}

// numbered tells changes of a statement apart that read the same.
func numbered(changes []change) []change {
	seen := map[string]int{}
	for i, c := range changes {
		seen[c.what]++
		if n := seen[c.what]; n > 1 {
			changes[i].what += fmt.Sprintf(" (%d)", n)
		}
	}
	return changes
}

func (f *finder) offset(p token.Pos) int { return f.tokens.Offset(p) }
func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}
