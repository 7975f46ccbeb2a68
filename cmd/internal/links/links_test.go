package links

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	Play()
	os.Exit(m.Run())
}

// fakeGo makes a binary of the file p_test.go, and says so in a file of its own.
const fakeGo = `#!/bin/sh
echo "$*" >>"$RAN"
grep -q broken p_test.go && exit 1
for o; do test "$last" = -o && cp p_test.go "$o"; last=$o; done
exit 0
`

// What was linked is had again for the same source, flags and settings, and no other.
func TestWhatIsKept(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "real/go"), fakeGo)
	t.Setenv("PATH", filepath.Join(dir, "real")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	require.NoError(t, Install(dir))
	env := Env(dir)
	for i, c := range []struct {
		about, text, more string // the source, and another file of the repository
		args, env         string
		code, runs        int
	}{
		{"the first is made", "one", "", "test -c -o out .", "GOWORK=off", 0, 1},
		{"the same is had again", "one", "", "test -c -o out .", "GOWORK=off", 0, 0},
		{"of another source it is made", "two", "", "test -c -o out .", "GOWORK=off", 0, 1},
		{"or of another file of the repository", "two", "more", "test -c -o out .", "GOWORK=off", 0, 1},
		{"or with another flag", "one", "", "test -c -race -o out .", "GOWORK=off", 0, 1},
		{"or another setting", "one", "", "test -c -o out .", "GOWORK=off GOFLAGS=-mod=mod", 0, 1},
		{"with a go.work it is made each time", "one", "", "test -c -o out .", "GOWORK=", 0, 1},
		{"what failed is not kept", "broken", "", "test -c -o out .", "GOWORK=off", 1, 1},
		{"and fails again", "broken", "", "test -c -o out .", "GOWORK=off", 1, 1},
		{"what is no test binary is go's", "one", "", "env GOFLAGS", "GOWORK=off", 0, 1},
	} {
		at := filepath.Join(dir, "repository", string(rune('a'+i)))
		write(t, filepath.Join(at, ".git"), "")
		write(t, filepath.Join(at, "p_test.go"), c.text)
		write(t, filepath.Join(at, "more.go"), c.more)
		ran := filepath.Join(at, "ran")
		cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "go/go"), strings.Fields(c.args)...)
		cmd.Dir, cmd.Env = at, append(append(os.Environ(), env...), append(strings.Fields(c.env), "RAN="+ran)...)
		out, err := cmd.CombinedOutput()
		assert.Equal(t, c.code, cmd.ProcessState.ExitCode(), "%s: %v: %s", c.about, err, out)
		runs, _ := os.ReadFile(ran)
		assert.Equal(t, c.runs, strings.Count(string(runs), "\n"), c.about)
		if strings.Contains(c.args, "-o") && c.code == 0 {
			made, _ := os.ReadFile(filepath.Join(at, "out"))
			assert.Equal(t, c.text, string(made), c.about)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o700))
}
