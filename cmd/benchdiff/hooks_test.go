package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hooked is a repository with a file to commit, whose hooks are scripts. benchdiff
// compares the counts of its one benchmark in them, and is in $BENCHDIFF.
func hooked(t *testing.T, hooks map[string]string) repository {
	t.Helper()
	r := newRepository(t, map[string]string{
		"go.mod": simple, "p_test.go": counting("Count", 8), "a.txt": "1\n", ".gitignore": "bench-*\nsaid\n",
	})
	r.env = append(r.env, "BENCHDIFF="+filepath.Join(bin, "benchdiff")+" -counts=5 -base=HEAD -- -test.bench=Count -test.benchtime=1x")
	for name, script := range hooks {
		file := filepath.Join(r.dir, ".git/hooks", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

const compares = "$BENCHDIFF >said 2>&1"

// A hook's index is that of the commit under way: it has what was staged after the hook,
// too, and nothing else.
// Slow: both sides of a comparison are linked, and measured in turns.
func TestInAPreCommitHook(t *testing.T) {
	for _, c := range []struct {
		about, commit string
		want, left    string // the files of the commit, and what git status tells then
	}{
		{"what is staged is committed", "", "a.txt", " M b.txt\n"},
		{"with -a what has changed is", "--all", "a.txt\nb.txt", ""},
		{"with a path that is, and what was staged stays so", "b.txt", "b.txt", "M  a.txt\n"},
	} {
		for _, place := range []string{"main worktree", "linked worktree"} {
			t.Run(place+": "+c.about, func(t *testing.T) {
				r := hooked(t, map[string]string{"pre-commit": compares})
				if place == "linked worktree" {
					linked := filepath.Join(t.TempDir(), "linked")
					r.git(t, "worktree", "add", "--quiet", linked)
					r.dir = linked
				}
				r.write(t, map[string]string{"b.txt": "1\n"})
				r.git(t, "add", "--all")
				r.git(t, "commit", "--quiet", "--no-verify", "--message=b")
				worktrees := r.git(t, "worktree", "list", "--porcelain")
				r.write(t, map[string]string{"a.txt": "2\n", "b.txt": "2\n"})
				r.git(t, "add", "a.txt")
				r.git(t, append([]string{"commit", "--quiet", "--message=c"}, strings.Fields(c.commit)...)...)
				if got := strings.TrimSpace(r.git(t, "show", "--name-only", "--format=")); got != c.want {
					t.Errorf("the commit has %q, want %q", got, c.want)
				}
				if got := r.git(t, "status", "--short"); got != c.left {
					t.Errorf("the status is %q, want %q", got, c.left)
				}
				if now := r.git(t, "worktree", "list", "--porcelain"); strings.Count(now, "worktree ") != strings.Count(worktrees, "worktree ") {
					t.Errorf("worktrees are %s, and were %s", now, worktrees)
				}
				said, _ := os.ReadFile(filepath.Join(r.dir, "said"))
				contains(t, "what the hook said", string(said), "No count has changed in 1 benchmark", "# environment: left out GIT_")
				text, _ := os.ReadFile(filepath.Join(r.dir, headFile))
				contains(t, "the file", string(text), "# environment: left out GIT_", "GIT_INDEX_FILE")
			})
		}
	}
}

func TestInAPrePushHook(t *testing.T) {
	r := hooked(t, map[string]string{"pre-push": compares})
	remote := filepath.Join(t.TempDir(), "remote")
	r.git(t, "init", "--quiet", "--bare", remote)
	r.git(t, "push", "--quiet", remote, "HEAD:refs/heads/main")
	r.checkClean(t)
	said, _ := os.ReadFile(filepath.Join(r.dir, "said"))
	contains(t, "what the hook said", string(said), "No count has changed in 1 benchmark")
	if got := r.git(t, "--git-dir="+remote, "log", "--format=%s", "main"); got != "first\n" {
		t.Errorf("pushed is %q", got)
	}
}

// The hooks and the monitor of files are for the user's own worktrees.
func TestUsersHooksDoNotRunForOurWorktrees(t *testing.T) {
	const leaves = `: >"$(git rev-parse --git-common-dir)/ran"; exit 1`
	r := hooked(t, map[string]string{"post-checkout": leaves, "post-index-change": leaves, "reference-transaction": leaves, "monitor": leaves})
	r.git(t, "config", "core.fsmonitor", ".git/hooks/monitor")
	r.env = append(r.env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.hooksPath", "GIT_CONFIG_VALUE_0="+filepath.Join(r.dir, ".git/hooks"))
	stdout, stderr, code := r.run(t, ".", "-counts=5", "-base=HEAD")
	if code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	contains(t, "the output", stdout, "No count has changed in 1 benchmark")
	if _, err := os.Stat(filepath.Join(r.dir, ".git/ran")); err == nil {
		t.Error("a hook ran")
	}
}

// A directory of git that is told, and not found from here, is named by the error.
func TestARepositoryOfTheEnvironmentIsLeftOut(t *testing.T) {
	r := hooked(t, nil)
	elsewhere := r
	elsewhere.dir = t.TempDir()
	elsewhere.env = append(r.env, "GIT_DIR="+filepath.Join(r.dir, ".git"))
	cmd := elsewhere.command(t, ".", "-base=HEAD", "--", "-test.bench=.")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("it was compared")
	}
	contains(t, "what it says", string(out), "GIT_DIR of the environment is left out")
}

// withDep has a benchmark that counts by a module beside it, of which a go.work has
// another version than go.mod.
func withDep(t *testing.T) (r repository, root string) {
	t.Helper()
	r = hooked(t, nil)
	root = filepath.Dir(r.dir)
	text := strings.Replace(counting("Count", 8), "ReportMetric(8,", "ReportMetric(dep.Takes,", 1)
	r.write(t, map[string]string{
		".gitignore": "bench-*\n/other\ngo.work*\n",
		"go.mod":     simple + "\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => ./dep\n",
		"p_test.go":  strings.Replace(text, "import \"testing\"", "import (\n\t\"testing\"\n\n\t\"example.com/dep\"\n)", 1),
		"dep/go.mod": "module example.com/dep\n", "dep/dep.go": "package dep\n\nconst Takes = 8\n",
		"other/go.mod": "module example.com/dep\n", "other/dep.go": "package dep\n\nconst Takes = 9\n",
	})
	r.git(t, "add", "--all")
	r.git(t, "commit", "--quiet", "--message=dep")
	r.env = append(r.env, "GOWORK=")
	return r, root
}

// Slow: both sides of a comparison are linked, and measured in turns.
func TestBothSidesAreBuiltWithoutGoWork(t *testing.T) {
	for _, c := range []struct {
		about string
		place func(r repository, root string) (file, given string) // of go.work, and GOWORK
	}{
		{"one above the repository", func(_ repository, root string) (string, string) { return filepath.Join(root, "go.work"), "" }},
		{"one within it that git ignores", func(r repository, _ string) (string, string) { return filepath.Join(r.dir, "go.work"), "" }},
		{"one that GOWORK names", func(_ repository, root string) (string, string) {
			file := filepath.Join(root, "elsewhere.work")
			return file, file
		}},
	} {
		t.Run(c.about, func(t *testing.T) {
			r, root := withDep(t)
			file, given := c.place(r, root)
			r.env = append(r.env, "GOWORK="+given)
			text := fmt.Sprintf("go 1.26.0\n\nuse (\n\t%q\n\t%q\n)\n", r.dir, filepath.Join(r.dir, "other"))
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := r.run(t, ".", "-counts=5", "-base=HEAD")
			if code != 0 {
				t.Errorf("exit code %d: %s%s", code, stdout, stderr)
			}
			contains(t, "the output", stdout, "Both sides are built without "+file+". No count has changed in 1 benchmark")
			contains(t, "the progress", stderr, "benchdiff: Both sides are built without "+file+".\n")
		})
	}
}

// An error of a build says that a go.work was left out of it.
func TestABuildThatNeedsGoWork(t *testing.T) {
	r, _ := withDep(t)
	r.write(t, map[string]string{"go.work": "go 1.26.0\n\nuse .\n", "p_test.go": "package p\n\nimport _ \"example.com/other\"\n"})
	_, stderr, code := r.run(t, ".", "-counts=5", "-base=HEAD")
	if code != 2 {
		t.Errorf("exit code %d", code)
	}
	contains(t, "what it says", stderr, "benchdiff: head does not build without "+filepath.Join(r.dir, "go.work")+", which is left out of every build: go test -c")
}

// Proxies are left out of what is measured, and their names are told, not their values.
func TestMeasuredProgramsKnowNoProxy(t *testing.T) {
	says := strings.Replace(counting("Count", 8), "import \"testing\"", "import (\n\t\"os\"\n\t\"testing\"\n)", 1)
	says = strings.Replace(says, "ReportMetric(8,", `ReportMetric(float64(len(os.Getenv("HTTPS_PROXY")+os.Getenv("GIT_DIR")+os.Getenv("no_proxy"))),`, 1)
	r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": says})
	r.env = append(r.env, "HTTPS_PROXY=http://secret@127.0.0.1:1", "no_proxy=a")
	_, stderr, code := r.run(t, ".", "-counts=5", "-base=HEAD")
	if code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	text, _ := os.ReadFile(filepath.Join(r.dir, baseFile))
	contains(t, "the file", string(text), "# environment: left out HTTPS_PROXY, no_proxy\n", " 0 server-allocs/op")
	if strings.Contains(string(text)+stderr, "secret") {
		t.Errorf("the value is told: %s%s", stderr, text)
	}
}
