package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/released"
)

func TestPinned(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ about, text, want string }{
		{"a requirement", "\t" + repo + "/loadgen v0.1.0\n", "\t" + repo + "/loadgen v0.2.0\n"},
		{"one that is indirect", "\t" + repo + "/codecs/suite v0.1.0 // indirect\n", "\t" + repo + "/codecs/suite v0.2.0 // indirect\n"},
		{"a replacement has no version", "replace " + repo + "/loadgen => ../\n", "replace " + repo + "/loadgen => ../\n"},
		{"the module itself has none", "module " + repo + "/loadgen\n", "module " + repo + "/loadgen\n"},
		{"other modules keep theirs", "\tgithub.com/x/y v0.1.0\n", "\tgithub.com/x/y v0.1.0\n"},
		{"what a Makefile installs", "RPCBENCH  ?= v0.1.0\nBENCHSTAT ?= v0.0.0\n", "RPCBENCH  ?= v0.2.0\nBENCHSTAT ?= v0.0.0\n"},
	} {
		assert.Equal(t, c.want, pinned(c.text, "v0.2.0"), c.about)
	}
}

func TestDated(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 12, 1, 23, 0, 0, 0, time.FixedZone("", -3600))
	for _, c := range []struct{ about, text, want string }{
		{"what changed gets a version and a day", "# C\n\n## Unreleased\n\n- a\n", "# C\n\n## Unreleased\n\n## v0.2.0, 2026-12-02\n\n- a\n"},
		{"there is nowhere to begin", "# C\n\n## v0.1.0, 2026-11-30\n", ""},
		{"two headings", "# C\n\n## Unreleased\n\n## Unreleased\n", ""},
	} {
		got, err := dated(c.text, "v0.2.0", day)
		assert.Equal(t, c.want == "", err != nil, c.about)
		assert.Equal(t, c.want, got, c.about)
	}
}

// planted is a repository with two commands, one in each of two modules, and a version.
func planted(t *testing.T) tree {
	tr := tree{dir: t.TempDir(), env: append(environment(environ.Tools(os.Environ())), "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=example", "GIT_AUTHOR_EMAIL=example@example.com", "GIT_COMMITTER_NAME=example", "GIT_COMMITTER_EMAIL=example@example.com")}
	write(t, filepath.Join(tr.dir, "go.mod"), "module "+repo+"\n\ngo 1.26.0\n")
	for _, m := range released.Modules() {
		write(t, filepath.Join(tr.dir, m, "go.mod"), "module "+repo+"/"+m+"\n\ngo 1.26.0\n")
		write(t, filepath.Join(tr.dir, m, "lib.go"), "package lib\n")
	}
	write(t, filepath.Join(tr.dir, "cmd/benchx/main.go"), "package main\n\nfunc main() { println(1) }\n")
	write(t, filepath.Join(tr.dir, "cmd/internal/own/main.go"), "package main\n\nfunc main() {}\n")
	write(t, filepath.Join(tr.dir, "loadgen/cmd/loadx/main.go"), "package main\n\nfunc main() { println(2) }\n")
	git(t, tr, "init", "-q", "-b", "main")
	git(t, tr, "add", "-A")
	git(t, tr, "commit", "-q", "-m", "example")
	for _, tag := range tags("v0.2.0") {
		git(t, tr, "tag", tag)
	}
	return tr
}

func git(t *testing.T, tr tree, args ...string) {
	t.Helper()
	_, err := tr.git(args...)
	require.NoError(t, err)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

// Clones in two directories give the same programs. One that differs is found.
func TestCommandsAreReproduced(t *testing.T) {
	t.Parallel()
	tr, work := planted(t), t.TempDir()
	out, platforms := filepath.Join(work, "out"), []string{"linux/amd64", "darwin/arm64"}
	c, err := tr.clone("v0.2.0", filepath.Join(work, "first"))
	require.NoError(t, err)
	require.NoError(t, c.build(out, "v0.2.0", platforms))
	files, err := sumsOf(out)
	require.NoError(t, err)
	assert.Len(t, files, 4, "those of internal are not for others")
	assert.Contains(t, files, "benchx-v0.2.0-linux-amd64")
	require.NoError(t, tr.rebuilt(work, out, "v0.2.0", platforms))
	write(t, filepath.Join(out, "loadx-v0.2.0-darwin-arm64"), "another")
	require.NoError(t, os.RemoveAll(filepath.Join(work, "second")))
	assert.ErrorContains(t, tr.rebuilt(work, out, "v0.2.0", platforms), "some differ: loadx-v0.2.0-darwin-arm64")
}

// A release that lacks something, or has what is of another version, is found.
func TestCheckDistFinds(t *testing.T) {
	t.Parallel()
	const version, platform = "v0.2.0", "windows/amd64"
	tr := planted(t)
	for _, c := range []struct {
		about string
		spoil func(t *testing.T, dir string)
		want  string
	}{
		{"all is there", func(*testing.T, string) {}, ""},
		{"a program is missing", func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "benchx-v0.2.0-windows-amd64.exe")))
		}, "no such file"},
		{"a program is another's", func(t *testing.T, dir string) {
			self, err := os.Executable()
			require.NoError(t, err)
			text, err := os.ReadFile(self)
			require.NoError(t, err)
			write(t, filepath.Join(dir, "benchx-v0.2.0-windows-amd64.exe"), string(text))
		}, "and not"},
		{"a file is of nothing", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "x"), "x") }, "files of no module"},
		{"components are of another module", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, componentsOf("cmd", version)), bom("loadgen", version))
		}, "it is the CycloneDX of " + repo + "/loadgen v0.2.0"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, tr.build(dir, version, []string{platform}))
			for _, m := range released.Modules() {
				write(t, filepath.Join(dir, componentsOf(m, version)), bom(m, version))
			}
			c.spoil(t, dir)
			require.NoError(t, writeSums(dir))
			err := tr.checkDist(dir, version, []string{platform})
			if c.want == "" {
				require.NoError(t, err)
				write(t, filepath.Join(dir, "benchx-v0.2.0-windows-amd64.exe"), "changed")
				assert.ErrorContains(t, tr.checkDist(dir, version, []string{platform}), "other sums")
				return
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// bom is a file of components that lists one.
func bom(module, version string) string {
	return `{"bomFormat":"CycloneDX","metadata":{"component":{"name":"` + repo + "/" + module + `","version":"` + version +
		`"}},"components":[{"name":"std","version":"` + runtime.Version() + `"}]}`
}

func TestListed(t *testing.T) {
	t.Parallel()
	linked := func(version string) *debug.BuildInfo {
		return &debug.BuildInfo{Deps: []*debug.Module{{Path: "example.com/a", Version: version}}}
	}
	components := map[string]string{"example.com/a": "v1.0.0", "example.com/b": "v1.0.0"}
	assert.NoError(t, listed(linked("v1.0.0"), components))
	assert.ErrorContains(t, listed(linked("v1.1.0"), components), "lack example.com/a v1.1.0")
	assert.Error(t, listed(linked("v1.0.0"), nil))
}

func TestTagged(t *testing.T) {
	t.Parallel()
	tr := planted(t)
	version, err := tr.tagged()
	require.NoError(t, err)
	assert.Equal(t, "v0.2.0", version)
	require.NoError(t, tr.checkTags(version))
	assert.ErrorContains(t, tr.check(version), "is tagged already")
	git(t, tr, "tag", "-d", "cmd/v0.2.0")
	assert.ErrorContains(t, tr.checkTags(version), "cmd/v0.2.0 is not the tag of")
	git(t, tr, "commit", "-q", "--allow-empty", "-m", "next")
	_, err = tr.tagged()
	assert.ErrorContains(t, err, "HEAD must be tagged")
	require.NoError(t, tr.check("v0.3.0"))
	write(t, filepath.Join(tr.dir, "go.mod"), "module m\n")
	assert.ErrorContains(t, tr.check("v0.3.0"), "not committed")
}

// The user's settings of what is built are left out.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := environment([]string{"GOFLAGS=-tags=x -modcacherw", "GOAMD64=v3", "GOPROXY=off"})
	assert.Contains(t, env, "GOPROXY=off")
	last := map[string]string{}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		last[name] = value
	}
	assert.Equal(t, "-modcacherw", last["GOFLAGS"])
	assert.Equal(t, "v1", last["GOAMD64"])
}
