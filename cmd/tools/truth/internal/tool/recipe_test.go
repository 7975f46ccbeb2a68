package tool

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fake writes a shell script in the place of a program and returns its path.
func fake(t *testing.T, dir, name, script string) string {
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	return path
}

// recipe returns the recipe of a tool.
func recipe(t *testing.T, tool string) Recipe {
	for _, r := range Recipes() {
		if r.Tool == tool {
			return r
		}
	}
	require.FailNow(t, "no recipe", tool)
	return Recipe{}
}

// TestRecipeCommands has the command of each registry, and where it puts the program.
func TestRecipeCommands(t *testing.T) {
	for _, row := range []struct{ tool, command, program string }{
		{"vegeta", "go install -trimpath github.com/tsenart/vegeta/v12@v12.13.0", "/t/vegeta-v12.13.0/vegeta"},
		{"oha", "cargo install --locked --root HOME --version 1.16.0 oha", "/t/oha-1.16.0/bin/oha"},
		{"autocannon", "npm install --no-fund --no-audit --prefix HOME autocannon@8.0.0", "/t/autocannon-8.0.0/node_modules/.bin/autocannon"},
	} {
		r := recipe(t, row.tool)
		assert.Equal(t, row.command, strings.Join(r.command("HOME"), " "))
		assert.Equal(t, row.program, r.Program("/t"))
	}
	assert.Equal(t, "wrk", recipe(t, "wrk").Program("/t"))
}

// TestInstall builds once, and then finds what is there. A build that fails leaves nothing.
func TestInstall(t *testing.T) {
	bin, dir := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin+":/bin:/usr/bin")
	hey := recipe(t, "hey")
	fake(t, bin, "go", "echo broken; echo 'go: error of the compiler'; exit 1")
	_, _, err := hey.Install(t.Context(), dir, io.Discard)
	assert.EqualError(t, err, "hey v0.1.5 does not build: exit status 1: go: error of the compiler")
	assert.Empty(t, entries(t, dir))

	fake(t, bin, "go", `echo "$@" in $GOWORK$GOFLAGS; touch "$GOBIN/hey"`)
	var log bytes.Buffer
	path, version, err := hey.Install(t.Context(), dir, &log)
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "hey-v0.1.5", "hey"), "v0.1.5"}, []string{path, version})
	assert.Equal(t, "install -trimpath github.com/rakyll/hey@v0.1.5 in off\n", log.String())

	fake(t, bin, "go", "exit 1")
	again, _, err := hey.Install(t.Context(), dir, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, path, again)
	assert.Equal(t, []string{"hey-v0.1.5"}, entries(t, dir))
}

func entries(t *testing.T, dir string) (names []string) {
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// TestMissing has the errors of tools that cannot be had; each is one line.
func TestMissing(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	for _, row := range []struct{ tool, want string }{
		{"vegeta", "vegeta v12.13.0 needs go, which is not on PATH"},
		{"oha", "oha 1.16.0 needs cargo, which is not on PATH"},
		{"autocannon", "autocannon 8.0.0 needs npm, which is not on PATH"},
		{"ab", "ab is not on PATH: install the Debian package apache2-utils"},
	} {
		_, _, err := recipe(t, row.tool).Install(t.Context(), t.TempDir(), io.Discard)
		assert.EqualError(t, err, row.want)
	}
	fake(t, bin, "go", "exit 0")
	_, _, err := recipe(t, "hey").Install(t.Context(), t.TempDir(), io.Discard)
	assert.ErrorContains(t, err, "hey v0.1.5 was built without its program: ")
}

// TestDebian returns the version of the package that the machine has.
func TestDebian(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	want := fake(t, bin, "wrk", "")
	path, version, err := recipe(t, "wrk").Install(t.Context(), "", io.Discard)
	require.NoError(t, err)
	assert.Equal(t, []string{want, "unknown"}, []string{path, version})

	fake(t, bin, "dpkg-query", `echo "4.1.0-3 of $3"`)
	_, version, err = recipe(t, "wrk").Install(t.Context(), "", io.Discard)
	require.NoError(t, err)
	assert.Equal(t, "4.1.0-3 of wrk", strings.TrimSuffix(version, `\n`))
}

// TestReason takes the line that says why.
func TestReason(t *testing.T) {
	for _, row := range []struct{ output, want string }{
		{"", "it has said nothing"},
		{"Compiling\nerror: no such crate\nnote: log in /x\n", "error: no such crate"},
		{"go: module not found\n\n", "go: module not found"},
		{"ERROR \x1b[31mred", `ERROR \x1b[31mred`},
	} {
		assert.Equal(t, row.want, reason(row.output))
	}
}
