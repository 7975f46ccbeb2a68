package cmd_test

import (
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

var examples = flag.Bool("examples", false, "make releases, import them, and run the examples, minutes")

// repo is where the modules are imported from.
const repo = "github.com/rpcbench/rpcbench"

// forge is a repository of the working tree, and a server that stands for GitHub
// to the commands which it runs.
type forge struct {
	dir    string // of all that is made
	tree   string // the repository in which releases are made
	server string // where it is pushed
	bin    string // where go install puts commands
	env    []string
}

// newForge makes one without tags, whose branch is main. Without -examples it skips the test.
func newForge(t *testing.T) *forge {
	t.Helper()
	if !*examples {
		t.Skip("it takes minutes: make check/examples")
	}
	dir := t.TempDir()
	f := &forge{dir: dir, tree: dir + "/tree", server: dir + "/server", bin: dir + "/bin"}
	f.env = f.environment(t)
	for _, file := range strings.Split(f.run(t, "..", "git", "ls-files", "-z", "-c", "-o", "--exclude-standard"), "\x00") {
		copyFile(t, filepath.Join("..", file), filepath.Join(f.tree, file))
	}
	f.commit(t, f.tree)
	f.run(t, dir, "git", "init", "-q", "--bare", "-b", "main", f.server)
	f.run(t, f.tree, "git", "remote", "add", "origin", f.server)
	f.run(t, f.tree, "git", "push", "-q", "origin", "main")
	return f
}

// environment is one in which what was downloaded before, and held against
// go.sum, is at hand, and releases do not stay.
func (f *forge) environment(t *testing.T) []string {
	t.Helper()
	cache := strings.TrimSpace(f.run(t, ".", "go", "env", "GOMODCACHE"))
	proxy := strings.TrimSpace(f.run(t, ".", "go", "env", "GOPROXY"))
	return append(environ.Tools(os.Environ()),
		"MAKEFLAGS=", "MAKELEVEL=", "VERSION=", // of a make that runs the tests
		"GOWORK=off", "GOSUMDB=off", "GOPRIVATE="+repo, "GOBIN="+f.bin, "GOMODCACHE="+f.dir+"/modules",
		"GOPROXY=file://"+cache+"/cache/download,"+proxy, "GOFLAGS="+os.Getenv("GOFLAGS")+" -modcacherw -trimpath",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url.file://"+f.server+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+repo,
		"GIT_AUTHOR_NAME=example", "GIT_AUTHOR_EMAIL=example@example.com",
		"GIT_COMMITTER_NAME=example", "GIT_COMMITTER_EMAIL=example@example.com",
	)
}

// release makes one, with commands for one system, and pushes it as make release says.
func (f *forge) release(t *testing.T, version string) {
	t.Helper()
	said := f.run(t, f.tree, "make", "-s", "release", "VERSION="+version, "PLATFORMS=linux/amd64")
	_, push, found := strings.Cut(said, "\npush it: ")
	require.True(t, found, said)
	push, _, _ = strings.Cut(push, "\n")
	f.run(t, f.tree, "sh", "-ec", push)
	assert.Empty(t, f.run(t, f.tree, "git", "status", "--porcelain"))
}

// copy copies a directory of the tree to where others have it, without what is
// of use in the tree alone.
func (f *forge) copy(t *testing.T, name string) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp(f.dir, "copy-")
	require.NoError(t, err)
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(f.tree, name))))
	for _, module := range []string{"loadgen", "frameworks/suite", "codecs/suite"} {
		f.run(t, dir, "go", "mod", "edit", "-dropreplace="+repo+"/"+module)
	}
	require.NoError(t, os.WriteFile(dir+"/.gitignore", []byte(".tools\nbench*.txt*\n"), 0o644))
	return dir
}

// commit makes a repository of a directory.
func (f *forge) commit(t *testing.T, dir string) {
	t.Helper()
	f.run(t, dir, "git", "init", "-q", "-b", "main")
	f.run(t, dir, "git", "add", "-A")
	f.run(t, dir, "git", "commit", "-q", "-m", "example")
}

// run runs a command and returns what it prints.
func (f *forge) run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, f.env
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s%s", cmd, out, &errs)
	return string(out)
}

// refuses expects a command to fail in the tree, and to say why.
func (f *forge) refuses(t *testing.T, why, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = f.tree, f.env
	out, err := cmd.CombinedOutput()
	assert.Error(t, err, cmd)
	assert.Contains(t, string(out), why)
}

// copyFile copies one that is not a directory, unless it was deleted.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if os.IsNotExist(err) {
		return
	}
	require.NoError(t, err)
	defer in.Close()
	info, err := in.Stat()
	require.NoError(t, err)
	if info.IsDir() {
		return
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, info.Mode())
	require.NoError(t, err)
	_, err = io.Copy(out, in)
	require.NoError(t, err)
	require.NoError(t, out.Close())
}
