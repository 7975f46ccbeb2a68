package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/links"
)

var (
	planted = flag.Bool("planted", false, "measure histories with a planted step, and one without, half an hour")
	keep    = flag.String("keep", "", "directory for the records of -planted")
)

// room names the directory of TestMain, where the command is, and what it has linked.
const room = "BENCHHISTORY_TEST_ROOM"

func TestMain(m *testing.M) {
	links.Play()
	dir, err := os.MkdirTemp("", "benchhistory-test-")
	if err := errors.Join(err, os.Setenv(room, dir), links.Install(dir)); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// command builds benchhistory, once.
var command = sync.OnceValues(func() (file string, err error) {
	file = filepath.Join(os.Getenv(room), "benchhistory")
	out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return file, err
})

// clone is a repository like this one, with the command and its records beside it. Its go
// links each source once in all tests.
type clone struct{ dir, tmp string }

func newClone(t *testing.T) clone {
	c := clone{dir: filepath.Join(t.TempDir(), "clone"), tmp: withCommand(t)}
	here := clone{dir: ".", tmp: c.tmp}
	here.run(t, `git clone -q --shared "$(git rev-parse --show-toplevel)" "$1"`, c.dir)
	return c
}

// withCommand is a directory with the command in it.
func withCommand(t *testing.T) (dir string) {
	t.Helper()
	file, err := command()
	require.NoError(t, err)
	dir = t.TempDir()
	require.NoError(t, os.Symlink(file, filepath.Join(dir, "benchhistory")))
	return dir
}

// run runs a script of bash in the clone. Without -trimpath go compiles all packages anew
// in each worktree, since they have other paths.
func (c clone) run(t *testing.T, script string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{"-euo", "pipefail", "-c", script, "bash"}, args...)...)
	cmd.Dir = c.dir
	cmd.Env = append(append(environ.Tools(os.Environ()), "TMPDIR="+c.tmp, "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath"), links.Env(os.Getenv(room))...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// commits is the script that commits everything.
const commits = `git add -A && git -c user.name=test -c user.email=test@example.com commit -q "$@"`

// names is the length of these histories.
const names = 12

// history commits names that differ in the place of all code behind a package, as
// releases do, and from one of them on in a patch, of which 1,000 turns of its loop are a
// tenth of the server's CPU time. It returns what -commits takes.
func (c clone) history(t *testing.T, pkg, patch string, from int) (list string) {
	for i := range names {
		code := fmt.Sprintf("package %s\n\nvar unrelated [%d]byte\n\nfunc init() { for i, b := range unrelated { if int(b) > i+%d { panic(b) } } }\n", pkg, 64*(i+1), i)
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, "frameworks", pkg, "unrelated.go"), []byte(code), 0o644))
		if i == from {
			c.run(t, `sed "s/range 1600/range 1000/" "$1" | git apply`, patch)
		}
		c.run(t, commits, "-m", fmt.Sprint(i))
		list += fmt.Sprintf(",HEAD~%d", names-1-i)
	}
	return list[1:]
}

// measured measures a history and returns its record.
func (c clone) measured(t *testing.T, name, pkg, list, rounds, conc string) *history.Record {
	records := *keep
	if records == "" {
		records = c.tmp
	}
	records, err := filepath.Abs(records)
	require.NoError(t, err)
	t.Log(c.run(t, `"$1/benchhistory" -dir "$2" -name "$3" -new -commits "$5" -pkg "./frameworks/$4" -rounds "$6" -counts 0 -sizes 0 -- \
		-test.bench='^Benchmark(Echo|Message)$' -test.benchtime=0.1s -set=recommended -size=1KiB -conc="$7" -references=false`,
		c.tmp, records, name, pkg, list, rounds, conc))
	files, err := filepath.Glob(filepath.Join(records, name+"-*.txt"))
	require.NoError(t, err)
	r, err := history.Read(slices.Max(files))
	require.NoError(t, err)
	return r
}

// TestPlantedSteps plants what raises ttrpc's server CPU time by 10 %, in the middle of a
// history and near its end, and sees that it is found within one version, and nothing else.
func TestPlantedSteps(t *testing.T) {
	if !*planted {
		t.Skip("it measures for a quarter of an hour: -planted")
	}
	patch, err := filepath.Abs("../benchdiff/testdata/slower.patch")
	require.NoError(t, err)
	for _, from := range []int{5, 10} {
		c := newClone(t)
		r := c.measured(t, fmt.Sprintf("planted-%d", from), "ttrpc", c.history(t, "ttrpc", patch, from), "40", "100")
		found := false
		for _, s := range r.Steps() {
			near := max(s.At-from, from-s.At) <= 1
			assert.True(t, near, "planted at %d: a step of %s at %d", from, s.Unit, s.At)
			found = found || near && s.Unit == "server-cpu-ns/op"
		}
		assert.True(t, found, "planted at %d: it is not found", from)
	}
}

// TestNull measures twelve names of one program, and sees that no step is found.
func TestNull(t *testing.T) {
	if !*planted {
		t.Skip("it measures for ten minutes: -planted")
	}
	c := newClone(t)
	r := c.measured(t, "null", "grpc", c.history(t, "grpc", "", -1), "40", "10,100")
	assert.Empty(t, r.Steps())
}
