package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shown is how many tests the table has, and bound how many seconds a test without a
// reason may take on an idle machine.
const (
	shown = 30
	bound = 10
)

// repository is what the paths of all modules begin with.
const repository = "github.com/rpcbench/rpcbench"

// test is a test that has ended.
type test struct {
	Package, Name string
	Seconds       float64
	Load          float64 // processes that were ready to run, for each CPU, or unknown
}

// unknown is the Load of an earlier run, whose result was kept.
const unknown = -1

// allowed is how many seconds the test may take without a reason. A test of an earlier run was
// judged then.
func (t test) allowed() float64 {
	if t.Load == unknown {
		return math.Inf(1)
	}
	return bound * max(1, t.Load)
}

// dir is where the test is, below the root.
func (t test) dir() string {
	return filepath.FromSlash(cmp.Or(strings.TrimPrefix(strings.TrimPrefix(t.Package, repository), "/"), "."))
}

// read reads what runs have appended to a file.
func read(file string) (tests []test, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var t test
		if _, err := fmt.Sscan(line, &t.Package, &t.Name, &t.Seconds, &t.Load); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", file, line, err)
		}
		tests = append(tests, t)
	}
	slices.SortStableFunc(tests, func(a, b test) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return tests, nil
}

// slowest is a table of the first n tests.
func slowest(tests []test, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%8s  slowest tests\n", "seconds")
	for _, t := range tests[:min(n, len(tests))] {
		fmt.Fprintf(&b, "%8.1f  %s %s\n", t.Seconds, t.dir(), t.Name)
	}
	return b.String()
}

// unexplained are the tests that took long and give no reason.
func unexplained(root string, tests []test) (list []test, err error) {
	for _, t := range tests {
		if t.Seconds <= t.allowed() {
			continue
		}
		why, err := reason(filepath.Join(root, t.dir()), t.Name)
		if err != nil {
			return nil, err
		}
		if why == "" {
			list = append(list, t)
		}
	}
	return list, nil
}

// reason returns the reason that the comment of a test in a directory gives; "" for none.
func reason(dir, name string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return "", err
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
				_, why, _ := strings.Cut("\n"+f.Doc.Text(), "\nSlow: ")
				return why, nil
			}
		}
	}
	return "", nil
}
