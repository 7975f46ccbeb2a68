package workshop

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRemedy(t *testing.T) {
	const clone = "rpcbench's RELEASES.md says which version to take, and how to use a clone"
	const proxy = "go cannot have a module: see go env GOPROXY GOFLAGS, and whether the version is right"
	for _, c := range []struct{ about, said, want string }{
		{"a proxy that forbids one of ours", "go: github.com/rpcbench/rpcbench/loadgen@v0.1.0: reading https://proxy.golang.org/github.com/rpcbench/rpcbench/loadgen/@v/v0.1.0.mod: 403 Forbidden", clone},
		{"a version of ours that is not tagged", "go: github.com/rpcbench/rpcbench/frameworks/suite@v0.1.0: invalid version: unknown revision frameworks/suite/v0.1.0", clone},
		{"a copy of an example with what replaces ours in the tree", "example.go:17:2: github.com/rpcbench/rpcbench/loadgen@v0.1.0: replacement directory ../../../loadgen does not exist", clone},
		{"no proxy", "go: example.com/x@v1.0.0: module lookup disabled by GOPROXY=off", proxy},
		{"no network", "go: example.com/x@v1.0.0: Get \"https://proxy.golang.org/example.com/x/@v/v1.0.0.mod\": dial tcp: lookup proxy.golang.org: no such host", proxy},
		{"what does not compile", "a.go:3:2: undefined: y", ""},
		{"nothing", "", ""},
	} {
		assert.Equal(t, c.want, remedy(c.said), c.about)
	}
}

func TestWhereProgramsRun(t *testing.T) {
	dir := t.TempDir()
	assert.NoError(t, runnable(dir))
	assert.NoFileExists(t, filepath.Join(dir, "runs"))
	assert.NoError(t, barred("/t/benchdiff-1", errors.New("exit status 1")), "it ran")
	assert.EqualError(t, barred("/t/benchdiff-1", &fs.PathError{Op: "fork/exec", Path: "/t/benchdiff-1/runs", Err: os.ErrPermission}),
		"programs in /t are not run, as on a file system that is mounted noexec: set TMPDIR to a directory where they are")
}

// noexec names a directory of a file system on which no programs are run.
const noexec = "RPCBENCH_TEST_NOEXEC"

// TestNoexec mounts such a file system, where that is allowed.
func TestNoexec(t *testing.T) {
	if dir := os.Getenv(noexec); dir != "" {
		assert.ErrorContains(t, runnable(dir), "set TMPDIR to a directory where they are")
		return
	}
	const script = `mount -t tmpfs -o noexec none "$1" || exit 77; exec env ` + noexec + `="$1" "$2" -test.run='^TestNoexec$'`
	out, err := exec.CommandContext(t.Context(), "unshare", "-Urm", "sh", "-c", script, "sh", t.TempDir(), os.Args[0]).CombinedOutput()
	if code := (*exec.ExitError)(nil); err != nil && !errors.As(err, &code) || bytes.HasPrefix(out, []byte("unshare: ")) || code != nil && code.ExitCode() == 77 {
		t.Skipf("needs a mount of its own: %v: %s", err, out)
	}
	assert.NoError(t, err, "%s", out)
}
