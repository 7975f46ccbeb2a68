package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// files are texts by their paths.
type files map[string]string

// with adds others.
func (f files) with(others ...files) files {
	all := maps.Clone(f)
	for _, o := range others {
		maps.Copy(all, o)
	}
	return all
}

// planted reads a repository of files.
func planted(t *testing.T, f files) checker {
	t.Helper()
	root := t.TempDir()
	for name, text := range f.with(files{"go.mod": "module m\n\ngo 1.26.0\n"}) {
		file := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		_, err := git(root, args...)
		require.NoError(t, err)
	}
	r, err := read(root)
	require.NoError(t, err)
	return newChecker(r)
}

// circle is a package of n files, each of which uses the next, and the last the first.
func circle(dir string, n int) files {
	f := files{}
	for i := range n {
		f[fmt.Sprintf("%s/f%d.go", dir, i)] = fmt.Sprintf("package p\n\nfunc f%d() { f%d() }\n", i, (i+1)%n)
	}
	return f
}

// line is a package of n files, each of which uses the next.
func line(dir string, n int) files {
	return circle(dir, n).with(files{fmt.Sprintf("%s/f%d.go", dir, n-1): fmt.Sprintf("package p\n\nfunc f%d() {}\n", n-1)})
}

// structOf is a file with a struct of n fields, whose names begin alike.
func structOf(n int, name string) string {
	text := "package p\n\ntype S struct {\n"
	for i := range n {
		text += fmt.Sprintf("\t%s%d int\n", name, i)
	}
	return text + "}\n"
}

const (
	move9 = "a: 9 files use each other in a circle, more than 8: move what both of two files need into a file or a package below them, " +
		"or pass it to the lower one as a parameter. Without the uses marked ↑, 1 of 9, there is no circle:\n" +
		"  f0.go → f1.go: f1\n  f1.go → f2.go: f2\n  f2.go → f3.go: f3\n  f3.go → f4.go: f4\n  f4.go → f5.go: f5\n" +
		"  f5.go → f6.go: f6\n  f6.go → f7.go: f7\n  f7.go → f8.go: f8\n↑ f8.go → f0.go: f0\n"
	room21  = "a: the package has 21 files, more than 20: move those that are about one thing into a package below it that imports nothing of it\n"
	group26 = "a: S has 26 fields, more than 25: make those that are used together a struct of their own, and pass it to who needs it\n"
)

// TestBounds plants what is at each bound and what is over it.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		about string
		files files
		said  string
	}{
		{"no package", files{}, ""},
		{"a circle of eight files passes", circle("a", 8), ""},
		{"one of nine does not", circle("a", 9), move9},
		{"two circles of eight are no circle of nine", circle("a", 8).with(circle("b", 8)), ""},
		{"twenty files pass", line("a", 20), ""},
		{"21 do not", line("a", 21), room21},
		{"but in a larger room they do", line("loadgen", 28).with(line("frameworks/suite/internal/host", 28)), ""},
		{"which has a bound as well", line("loadgen", 29), strings.NewReplacer("a:", "loadgen:", "21", "29", "20", "28").Replace(room21)},
		{"a package below a room is not one", line("loadgen/b", 21), strings.Replace(room21, "a:", "loadgen/b:", 1)},
		{"25 fields pass", files{"a/a.go": structOf(25, "x")}, ""},
		{"26 do not", files{"a/a.go": structOf(26, "x")}, group26},
		{"names of a line and embedded types are counted", files{"a/a.go": strings.Replace(structOf(24, "x"), "}", "\ta, b int\n\tint\n}", 1)}, strings.Replace(group26, "26", "27", 1)},
		{"a struct in a function is one", files{"a/a.go": strings.Replace(structOf(26, "x"), "type", "func f() {\ntype", 1) + "}\n"}, group26},
		{"a message has the fields of its schema", files{"a/a.go": structOf(40, "Field"), "b/b.go": structOf(40, "field")}, ""},
		{"a struct with one field more is no message", files{"a/a.go": strings.Replace(structOf(25, "Field"), "}", "\tx int\n}", 1)}, group26},
		{"all that is over a bound is said", circle("a", 9).with(files{"a/s.go": structOf(26, "x"), "b/b.go": strings.Replace(structOf(26, "y"), "S", "T", 1)}), group26 + move9 + strings.NewReplacer("a:", "b:", " S ", " T ").Replace(group26)},
	} {
		t.Run(c.about, func(t *testing.T) {
			var said strings.Builder
			err := check(&said, planted(t, c.files))
			assert.Equal(t, c.said, said.String())
			if c.said == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, fmt.Sprintf("%d over their bounds", strings.Count(c.said, "more than")))
			}
		})
	}
}

// TestLeftOut has files that are not counted, each of which would be one too many and close
// a circle of nine.
func TestLeftOut(t *testing.T) {
	const closes = "package p\n\nfunc f19() { f0() }\n"
	open := line("a", 20)
	delete(open, "a/f19.go")
	for _, c := range []struct{ about, name, text string }{
		{"a test", "a/f19_test.go", closes},
		{"testdata", "a/testdata/f19.go", closes},
		{"testdata of the root", "testdata/f19.go", closes},
		{"generated code", "a/f19.go", "// Code generated by hand. DO NOT EDIT.\n\n" + closes},
		{"a file of another system, by its name", "a/f19_plan9.go", closes},
		{"a file of another system, by its tag", "a/f19.go", "//go:build plan9\n\n" + closes},
		{"a file that is no Go", "a/f19.txt", closes},
	} {
		t.Run(c.about, func(t *testing.T) {
			k := planted(t, open.with(files{c.name: c.text, "a/f20.go": "package p\n"}))
			assert.NoError(t, check(t.Output(), k))
			assert.Len(t, k.packages, 1)
			assert.Len(t, k.packages["a"].names, 20)
		})
	}
	k := planted(t, open.with(files{"a/f19.go": closes}))
	assert.ErrorContains(t, check(t.Output(), k), "1 over their bounds", "counted, it closes a circle")
}

// TestWhatGitKnows: a file that is not added is left out, and so is one that is deleted.
func TestWhatGitKnows(t *testing.T) {
	k := planted(t, line("a", 20))
	require.NoError(t, os.WriteFile(filepath.Join(k.root, "a/new.go"), []byte("package p\n"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(k.root, "a/f3.go")))
	r, err := read(filepath.Join(k.root, "a"))
	require.NoError(t, err)
	assert.Len(t, r.packages["a"].names, 19)
	assert.NotContains(t, r.packages["a"].names, "new.go")
}

// TestInAHook: git names the repository of a commit to its hooks.
func TestInAHook(t *testing.T) {
	a, b := planted(t, line("a", 1)), planted(t, line("b", 1))
	t.Setenv("GIT_DIR", filepath.Join(b.root, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(b.root, ".git", "index"))
	r, err := read(a.root)
	require.NoError(t, err)
	assert.Contains(t, r.packages, "a")
	assert.NotContains(t, r.packages, "b")
}

// TestTies lists what is a use, by two files of which the second uses the first.
func TestTies(t *testing.T) {
	for _, c := range []struct{ about, declared, used, names string }{
		{"a function", "func F() {}", "func g() { F() }", "F"},
		{"a constant and a variable", "const C = 1\n\nvar V = 2", "func g() int { return C + V }", "C, V"},
		{"a type", "type T int", "var g T", "T"},
		{"a field and a method have their type's name", "type T struct{ x int }\n\nfunc (t *T) M() {}", "func g(t *T) { t.x = 1; t.M() }", "T, T.M, T.x"},
		{"a field and a method of a generic type, too", "type T[E any] struct{ x E }\n\nfunc (t T[E]) M() {}", "func g(t T[int]) { t.x = 1; t.M() }", "T, T.M, T.x"},
		{"a method of an interface", "type I interface{ M() }", "func g(i I) { i.M() }", "I, I.M"},
		{"a field of a struct in a function has no name before it", "func F() (s struct{ x int }) { return s }", "func g() { F().x = 1 }", ".x, F"},
		{"a field by another name of its type", "type T struct{ x int }\n\ntype Z = T", "func g(z Z) { z.x = 1 }", "T.x, Z"},
		{"a name of its own is no use", "func F() {}", "func g(F func()) { F() }", ""},
		{"in code that does not compile", "func F() {}", "func g() { undefined(F, missing.X); return 1 }", "F"},
		{"beside what another repository declares", "func F() {}", "import \"strings\"\n\nfunc g() { strings.Map(nil, F()) }", "F"},
		{"by a value of another package of this repository", "func (T) M() {}\n\ntype T struct{ b.B[T] }", "import \"m/b\"\n\nfunc g() { b.Of(T{}).M() }", "T, T.M"},
		{"by a value of the root's package", "func (T) M() {}\n\ntype T struct{}", "import \"m\"\n\nfunc g() { m.Of(T{}).M() }", "T, T.M"},
		{"a file that does not compile at all", "func F() {}", "import \"C\"\n\nfunc g() { C.x(F) }", "F"},
	} {
		t.Run(c.about, func(t *testing.T) {
			imports := ""
			if strings.Contains(c.declared, "b.") {
				imports = "import \"m/b\"\n\n"
			}
			k := planted(t, files{
				"a/low.go":  "package a\n\n" + imports + c.declared + "\n",
				"a/high.go": "package a\n\n" + c.used + "\n",
				"b/b.go":    "package b\n\ntype B[T any] struct{}\n\nfunc Of[T any](t T) T { return t }\n",
				"m.go":      "package m\n\nfunc Of[T any](t T) T { return t }\n",
			})
			u := k.uses(k.packages["a"])
			assert.Equal(t, []string{"high.go", "low.go"}, u.files)
			assert.Equal(t, c.names, list(u.names[0][1], 0))
			assert.Empty(t, u.names[1])
		})
	}
}

// TestPackagesThatImportEachOther do not compile, and are read.
func TestPackagesThatImportEachOther(t *testing.T) {
	k := planted(t, files{
		"a.go":   "package m\n\nimport \"m/b\"\n\nfunc F() { b.F() }\n",
		"b/b.go": "package b\n\nimport \"m\"\n\nfunc F() { m.F() }\n",
	})
	assert.NoError(t, check(t.Output(), k))
	assert.Len(t, k.packages, 2)
}

// TestExplain shows the layers that are nearest to a circle, and the names that close it.
func TestExplain(t *testing.T) {
	k := planted(t, files{
		"a/a.go": "package a\n\nfunc A() { B1(); B2(); C() }\n",
		"a/b.go": "package a\n\nfunc B1() {}\n\nfunc B2() { C() }\n",
		"a/c.go": "package a\n\nfunc C() { D(); A() }\n",
		"a/d.go": "package a\n\nfunc D() {}\n",
		"a/x.go": "package a\n\nfunc X() { Y(); Y() }\n",
		"a/y.go": "package a\n\nfunc Y() { X() }\n",
		"b/b.go": "package b\n",
	})
	for _, c := range []struct{ dir, said string }{
		{"a", "a: 3 files use each other in a circle. Without the uses marked ↑, 1 of 4, there is no circle:\n" +
			"  a.go → b.go: B1, B2\n  a.go → c.go: C\n  b.go → c.go: C\n↑ c.go → a.go: A\n" +
			"a: 2 files use each other in a circle. Without the uses marked ↑, 1 of 2, there is no circle:\n" +
			"  x.go → y.go: Y\n↑ y.go → x.go: X\n"},
		{"b", "b: no circle of files\n"},
	} {
		var said strings.Builder
		require.NoError(t, explain(&said, k, c.dir))
		assert.Equal(t, c.said, said.String())
	}
	assert.ErrorContains(t, explain(t.Output(), k, "c"), "-why=c: there is no package in this directory")
}

// arrows are the uses between files, each by a number of names.
func arrows(files int, list ...[3]int) uses {
	u := uses{make([]string, files), make([]map[int]map[string]bool, files)}
	for i := range u.names {
		u.names[i] = map[int]map[string]bool{}
	}
	for _, a := range list {
		for n := range a[2] {
			u.add(a[0], a[1], fmt.Sprint(n))
		}
	}
	return u
}

// TestSwap finds two groups of three files, 0 above 1 above 2.
func TestSwap(t *testing.T) {
	for _, c := range []struct {
		about string
		u     uses
		want  [3]int
	}{
		{"they stay where they use what is below them", arrows(3, [3]int{0, 1, 1}, [3]int{0, 2, 1}), [3]int{}},
		{"they stay where nothing would be better", arrows(3, [3]int{0, 1, 1}, [3]int{1, 0, 1}), [3]int{}},
		{"one file above one", arrows(3, [3]int{1, 0, 1}), [3]int{0, 1, 2}},
		{"the lower two", arrows(3, [3]int{2, 1, 1}), [3]int{1, 2, 3}},
		{"one file below the other two", arrows(3, [3]int{1, 0, 1}, [3]int{2, 0, 1}), [3]int{0, 1, 3}},
		{"one file above the other two", arrows(3, [3]int{2, 0, 1}, [3]int{2, 1, 1}), [3]int{0, 2, 3}},
		{"one that is used by the one below it, and uses the last", arrows(3, [3]int{1, 0, 3}, [3]int{0, 2, 1}), [3]int{0, 1, 2}},
		{"past what it uses, for what uses it more", arrows(3, [3]int{0, 1, 1}, [3]int{1, 2, 2}, [3]int{2, 0, 3}), [3]int{0, 1, 3}},
		{"the most names are saved, not the first", arrows(3, [3]int{1, 0, 1}, [3]int{2, 1, 3}, [3]int{0, 2, 1}), [3]int{1, 2, 3}},
	} {
		from, middle, to := c.u.swap([]int{0, 1, 2})
		assert.Equal(t, c.want, [3]int{from, middle, to}, c.about)
	}
}

// TestLayers: files stand above what they use, wherever they stood before, though only by
// groups of them does the order of a circle become better.
func TestLayers(t *testing.T) {
	u := arrows(4, [3]int{3, 2, 2}, [3]int{2, 1, 2}, [3]int{1, 0, 2}, [3]int{0, 3, 1})
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2}, {2, 0, 1, 3}} {
		assert.Equal(t, []int{3, 2, 1, 0}, u.layers(order), order)
	}
}

func TestManyNames(t *testing.T) {
	names := map[string]bool{"d": true, "b": true, "a": true, "c": true}
	assert.Equal(t, "a, b and 2 more", list(names, 2))
	assert.Equal(t, "a, b, c, d", list(names, 4))
	assert.Equal(t, "a, b, c, d", list(names, 0))
}

// TestTable has packages in the order of what they have of their bounds.
func TestTable(t *testing.T) {
	k := planted(t, line("a", 5).with(circle("b", 3), files{"c/c.go": structOf(25, "x"), "A/a.go": structOf(40, "Field")}))
	var said strings.Builder
	table(&said, k, 3)
	assert.Equal(t, strings.Join([]string{
		"97 lines in 10 files of 4 packages, without tests and generated code",
		"package                                        files  lines longest fields  of                       largest circle of files",
		"c                                                  1     29       0     25  S                        0",
		"b                                                  3      9       1      0                           3",
		"a                                                  5     15       1      0                           0",
		"",
	}, "\n"), said.String())
}

// TestErrors names what cannot be read.
func TestErrors(t *testing.T) {
	_, err := read(t.TempDir())
	assert.ErrorContains(t, err, "git rev-parse: ")
	k := planted(t, files{"a/a.go": "package p\n"})
	require.NoError(t, os.WriteFile(filepath.Join(k.root, "a/a.go"), []byte("package p\n\nfunc {\n"), 0o600))
	_, err = read(k.root)
	assert.ErrorContains(t, err, "a/a.go:3:6: ")
	require.NoError(t, os.WriteFile(filepath.Join(k.root, "go.mod"), []byte("go 1.26.0\n"), 0o600))
	_, err = read(k.root)
	assert.ErrorContains(t, err, "go.mod has no module in its first line")
}
