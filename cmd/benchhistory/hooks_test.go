package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/links"
)

// aBenchmark measures how much it knows of a proxy, of git and of a go.work: nothing is 1.
const aBenchmark = `package x

import (
	"os"
	"testing"
)

func BenchmarkX(b *testing.B) {
	known := os.Getenv("HTTPS_PROXY") + os.Getenv("GIT_INDEX_FILE") + os.Getenv("GIT_DIR")
	b.ReportMetric(float64(1+len(known)), "known/op")
}
`

// hooked is a small repository that benchhistory measures in a hook before each commit,
// with files as it wants them.
func hooked(t *testing.T, hook string) clone {
	c := clone{dir: t.TempDir(), tmp: withCommand(t)}
	for name, text := range map[string]string{
		"go.mod": "module example.com/x\n\ngo 1.26.0\n", "a.txt": "1\n", "b.txt": "1\n", ".gitignore": "records\nsaid\n",
		"frameworks/x/bench_test.go": aBenchmark, "frameworks/tcp/bench_test.go": aBenchmark,
	} {
		file := filepath.Join(c.dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	c.run(t, `git init -q && `+commits, "-m", "first")
	c.run(t, `printf '#!/bin/sh\n%s\n' "$1" >.git/hooks/pre-commit; printf '#!/bin/sh\nexit 1\n' >.git/hooks/post-checkout; chmod +x .git/hooks/p*`, hook)
	return c
}

// A commit has what was staged for it, though its hook measures others, and programs know
// nothing of the hook.
func TestInAPreCommitHook(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds two programs in each of two worktrees")
	}
	for _, c := range []struct{ about, where, commit, want string }{
		{"with -a what has changed is committed", "main", "-qam c", "a.txt\nb.txt"},
		{"with a path that is, in a linked worktree", "linked", "-qm c b.txt", "b.txt"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			own := hooked(t, `exec "$BENCHHISTORY/benchhistory" -dir records -commits HEAD -pkg frameworks/x -rounds 1 -counts 0 -sizes 0 -- -test.bench=X -test.benchtime=1x >said 2>&1`)
			if c.where == "linked" {
				linked := filepath.Join(t.TempDir(), "linked")
				own.run(t, `git -c core.hooksPath=/dev/null worktree add -q "$1"`, linked)
				own.dir = linked
			}
			cmd := exec.CommandContext(t.Context(), "bash", "-euc", `echo 2 >a.txt; echo 2 >b.txt; git add a.txt; git -c user.name=a -c user.email=a@b commit `+c.commit)
			cmd.Dir, cmd.Env = own.dir, append(append(environ.Measured(os.Environ()), links.Env(os.Getenv(room))...), "TMPDIR="+own.tmp, "BENCHHISTORY="+own.tmp, "HTTPS_PROXY=http://127.0.0.1:1", "GOWORK=/a/go.work", "GOFLAGS=-mod=mod", "GOPROXY=off")
			out, err := cmd.CombinedOutput()
			said, _ := os.ReadFile(filepath.Join(own.dir, "said"))
			require.NoError(t, err, "%s%s", out, said)
			assert.Contains(t, string(said), "benchhistory: all versions are built without /a/go.work\n")
			assert.Equal(t, c.want, strings.TrimSpace(own.run(t, "git show --name-only --format=")))
			records, left, err := history.ReadDir(filepath.Join(own.dir, "records"))
			require.NoError(t, err)
			assert.Empty(t, left)
			require.Len(t, records, 1)
			for _, l := range records[0].Lines {
				assert.InDelta(t, 1, l.Values["known/op"], 0, l.Full)
			}
			text, _ := os.ReadFile(records[0].File)
			assert.Contains(t, string(text), "\n# environment: left out GIT_")
			assert.Contains(t, string(text), "HTTPS_PROXY\n")
		})
	}
}
