package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

func TestPrinter(t *testing.T) {
	const start = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA/x","Output":"says\n"}
`
	for _, c := range []struct {
		about         string
		verbose       bool
		events        string
		prints, keeps string
	}{
		{"what passes says nothing", false, start + `{"Action":"pass","Package":"p","Test":"TestA/x","Elapsed":1}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":1.5}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t1.6s\n"}
{"Action":"pass","Package":"p","Elapsed":1.6}`, "ok  \tp\t1.6s\n", "p TestA 1.50 0.25\n"},
		{"what fails says all", false, start + `{"Action":"fail","Package":"p","Test":"TestA/x","Elapsed":1}
{"Action":"fail","Package":"p","Test":"TestA","Elapsed":1}
{"Action":"output","Package":"p","Output":"FAIL\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t1s\n"}`, "says\n=== RUN   TestA\nFAIL\nFAIL\tp\t1s\n", "p TestA 1.00 0.25\n"},
		{"a test that does not end says all", false, start + `{"Action":"output","Package":"p","Output":"FAIL\tp\t1s\n"}`, "=== RUN   TestA\nsays\nFAIL\tp\t1s\n", ""},
		{"with -v all is printed as it comes", true, start + `{"Action":"pass","Package":"p","Test":"TestA","Elapsed":2}
{"Action":"output","Package":"p","Output":"PASS\n"}`, "=== RUN   TestA\nsays\nPASS\n", "p TestA 2.00 0.25\n"},
		{"a build that fails", false, `{"ImportPath":"p","Action":"build-output","Output":"x.go:1: no\n"}`, "x.go:1: no\n", ""},
		{"a parallel subtest counts, which a test's own time leaves out", false, `{"Action":"pause","Package":"p/q","Test":"TestA/x"}
{"Action":"pass","Package":"p/q","Test":"TestA/x","Elapsed":3}
{"Action":"pass","Package":"p/q","Test":"TestA/y","Elapsed":4}
{"Action":"pause","Package":"p/q","Test":"TestA/z"}
{"Action":"pass","Package":"p/q","Test":"TestA/z","Elapsed":2}
{"Action":"pass","Package":"p/q","Test":"TestA","Elapsed":4.5}`, "", "p/q TestA 7.50 0.25\n"},
		{"a result that was kept has no load", false, `{"Action":"pass","Package":"p","Test":"TestA","Elapsed":13}
{"Action":"output","Package":"p","Output":"ok  \tp\t(cached)\n"}
{"Action":"pass","Package":"q","Test":"TestA","Elapsed":1}`, "ok  \tp\t(cached)\n", "p TestA 13.00 -1.00\nq TestA 1.00 0.25\n"},
		{"a test that is skipped has no time, and packages without tests no line", false, `{"Action":"skip","Package":"p","Test":"TestB","Elapsed":0}
{"Action":"output","Package":"q","Output":"?   \tq\t[no test files]\n"}`, "", ""},
	} {
		var out, times strings.Builder
		p := &printer{verbose: c.verbose, out: &out, times: &times, load: func() float64 { return .25 }}
		require.NoError(t, p.follow(strings.NewReader(c.events)), c.about)
		assert.ElementsMatch(t, strings.SplitAfter(c.prints, "\n"), strings.SplitAfter(out.String(), "\n"), c.about)
		assert.Equal(t, c.keeps, times.String(), c.about)
	}
	assert.Error(t, new(printer).follow(strings.NewReader("not JSON")))
}

// TestRun has a module whose tests pass and fail.
func TestRun(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "took")
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.26.0\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestGood(*testing.T) {}\nfunc TestBad(t *testing.T) { t.Fail() }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for args, passes := range map[string]bool{"-run=Good": true, "-run=Bad": false, "./nosuch": false} {
		ok, err := run(dir, file, []string{args})
		assert.NoError(t, err, args)
		assert.Equal(t, passes, ok, args)
	}
	tests, err := read(file)
	assert.NoError(t, err)
	assert.Len(t, tests, 2)
}

// TestDigest is another after a change of any file, but for those that git ignores.
func TestDigest(t *testing.T) {
	root := t.TempDir()
	write := func(file, text string) string {
		require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o600))
		return tree(root)
	}
	none := write(".gitignore", "ignored\n")
	assert.NotEqual(t, none, tree(root), "without a repository it is always another")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.hooksPath=" + os.DevNull, "commit", "-qm", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = root, environ.Tools(os.Environ())
		require.NoError(t, cmd.Run())
	}
	first := tree(root)
	assert.Equal(t, first, write("ignored", "x"))
	second := write("new", "x")
	third := write("new", "y")
	fourth := write(".gitignore", "ignored\n\n")
	all := []string{first, second, third, fourth}
	slices.Sort(all)
	assert.Len(t, slices.Compact(all), 4)
}

// The digest of programs is another one when something is installed, and else the same.
func TestDigestOfPrograms(t *testing.T) {
	dir := t.TempDir()
	path := dir + string(filepath.ListSeparator) + filepath.Join(dir, "absent")
	before := programs(path)
	assert.Equal(t, before, programs(path))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "iperf3"), nil, 0o700))
	require.NoError(t, os.Chtimes(dir, time.Time{}, time.Now().Add(time.Second))) // clocks of file systems are coarse
	assert.NotEqual(t, before, programs(path))
	assert.NotEqual(t, programs(path), programs(""))
}

func TestTable(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "cmd"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, "cmd", "x_test.go"), []byte(`package x

// TestLong is long.
// Slow: it waits for ten minutes.
func TestLong() {}

// TestIdle is Slow: a word in a sentence is no reason.
func TestIdle() {}
`), 0o600))
	file := filepath.Join(root, "took")
	require.NoError(t, os.WriteFile(file, []byte(`github.com/rpcbench/rpcbench/cmd TestQuick 9.90 0.50
github.com/rpcbench/rpcbench/cmd TestLong 600.00 0.50
github.com/rpcbench/rpcbench/cmd TestIdle 11.00 0.99
github.com/rpcbench/rpcbench/cmd TestBusy 29.00 3.00
github.com/rpcbench/rpcbench/cmd TestKept 30.00 -1.00
github.com/rpcbench/rpcbench TestRoot 31.00 3.00
`), 0o600))
	tests, err := read(file)
	require.NoError(t, err)
	assert.Equal(t, " seconds  slowest tests\n   600.0  cmd TestLong\n    31.0  . TestRoot\n", slowest(tests, 2))
	missing, err := unexplained(root, tests)
	require.NoError(t, err)
	var names []string
	for _, m := range missing {
		names = append(names, m.Name)
	}
	assert.Equal(t, []string{"TestRoot", "TestIdle"}, names)
	_, err = read(filepath.Join(root, "none"))
	assert.Error(t, err)
	require.NoError(t, os.WriteFile(file, []byte("p Test\n"), 0o600))
	_, err = read(file)
	assert.ErrorContains(t, err, `"p Test\n"`)
}
