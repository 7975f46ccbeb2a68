package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTree has Go run these tests again when a file of the repository has changed: they
// read what Go does not see. make sets the variable.
func TestTree(*testing.T) { _ = os.Getenv("RPCBENCH_TREE") }

// tests is what the tests of a package say, and where.
type tests struct {
	below string // the directory within its module, "." for the module's own
	text  string
}

// TestWhatGoDoesNotSee: Go keeps the result of a package's tests until its code changes, or
// a file within its module or a variable that the tests have read. What they read outside,
// and what programs read that they start, it does not see. So such tests read
// RPCBENCH_TREE, in TestTree. Those of code that looks for programs of the machine read
// RPCBENCH_PROGRAMS at least, in TestPrograms.
func TestWhatGoDoesNotSee(t *testing.T) {
	all, looks := map[string]tests{}, map[string]bool{}
	require.NoError(t, filepath.WalkDir("..", func(file string, _ fs.DirEntry, err error) error {
		switch {
		case err != nil || !strings.HasSuffix(file, ".go") || strings.Contains(file, "testdata"):
			return err
		case strings.HasSuffix(file, "_test.go"):
			return add(all, file)
		}
		text, err := os.ReadFile(file)
		looks[filepath.Dir(file)] = looks[filepath.Dir(file)] || strings.Contains(string(text), "exec.LookPath(")
		return err
	}))
	seen := 0
	for dir, p := range all {
		why, reads := p.unseen(), strings.Contains(p.text, "\nfunc TestTree(*testing.T) { _ = os.Getenv(\"RPCBENCH_TREE\") }\n")
		assert.Equal(t, why != "", reads, "%s has %s: copy TestTree of cmd there, or away from there", dir, why)
		if why == "" {
			seen++
			assert.True(t, !looks[dir] || strings.Contains(p.text, "\nfunc TestPrograms(*testing.T) { _ = os.Getenv(\"RPCBENCH_PROGRAMS\") }\n"), "%s looks for programs: copy TestPrograms of frameworks/suite there", dir)
		}
	}
	assert.Greater(t, len(all), 20)
	assert.Greater(t, seen, 10, "packages whose results are kept whatever else changes")
}

// add adds a file to the tests of its package.
func add(all map[string]tests, file string) error {
	text, err := os.ReadFile(file)
	dir := filepath.Dir(file)
	root := dir
	for _, e := os.Stat(filepath.Join(root, "go.mod")); e != nil && root != ".."; _, e = os.Stat(filepath.Join(root, "go.mod")) {
		root = filepath.Dir(root)
	}
	below, e := filepath.Rel(root, dir)
	if err == nil {
		err = e
	}
	all[dir] = tests{filepath.ToSlash(below), all[dir].text + string(text)}
	return err
}

var (
	above    = regexp.MustCompile("[\"`](?:-C=?)?((?:\\.\\./)*\\.\\.)[/\"`]")
	programs = regexp.MustCompile("[\"`](go|git|make|bash)[\"`]")
)

// unseen is what in the tests reads files that Go does not see; "" if nothing does.
func (p tests) unseen() string {
	depth := 0
	if p.below != "." {
		depth = strings.Count(p.below, "/") + 1
	}
	for _, found := range above.FindAllStringSubmatch(p.text, -1) {
		if strings.Count(found[1], "..") > depth {
			return found[0]
		}
	}
	if !strings.Contains(p.text, "\"os/exec\"") {
		return ""
	}
	if strings.Contains(p.text, "\"testdata/") {
		return "programs and testdata"
	}
	return programs.FindString(p.text)
}

// What reads outside is known by its text.
func TestUnseen(t *testing.T) {
	const exec = "import \"os/exec\"\n"
	for _, c := range []struct{ about, below, text, want string }{
		{"a file of the module", "a/b", `"../../testdata/x"`, ""},
		{"one above it", "a/b", `"../../../README.md"`, `"../../../`},
		{"one beside it", ".", `"../README.md"`, `"../`},
		{"the directory above", "a", `t.Chdir("../..")`, `"../.."`},
		{"a program that reads the repository", "a", exec + `run("git", "ls-files")`, `"git"`},
		{"a word that is no program", "a", `"git"`, ""},
		{"itself, with no file", "a", exec + "os.Args[0]", ""},
		{"itself, with a file that it opens", "a", exec + `run(os.Args[0], "testdata/x")`, "programs and testdata"},
	} {
		assert.Equal(t, c.want, tests{c.below, c.text}.unseen(), c.about)
	}
}
