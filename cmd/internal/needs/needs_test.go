package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// played is set in a process that acts as the command.
const played = "NEEDS_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(played) == "" {
		os.Exit(m.Run())
	}
	main()
}

func TestNeeds(t *testing.T) {
	dir := t.TempDir()
	for _, n := range needs {
		program := strings.Fields(n.program)[0]
		require.NoError(t, os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\n"), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "unshare"), []byte("#!/bin/sh\n"), 0o700))
	for _, c := range []struct{ about, without, args, says string }{
		{"no network namespaces", "unshare", "make test", "did not run: make test: networks with delay and loss: unshare may not make one (Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0)\n"},
		{"and they are of no other step", "unshare", "make peers", ""},
		{"one browser", "chromium", "make test", "did not run: make test: the report in a browser: there is no chromium\nto have it run: apt-get install chromium fonts-dejavu-core\n"},
		{"nothing is missing", "none", "make test", ""},
		{"of that step", "java", "make test", ""},
		{"a program of it", "iperf3", "make test", "did not run: make test: the row of iperf3 in Bulk: there is no iperf3\nto have it run: apt-get install iperf3\n"},
		{"of any step", "mvn", "", "did not run: make peers: servers in Java: there is no mvn\nto have it run: apt-get install maven\n"},
		{"packages alone", "cc", "-packages", "gcc libc6-dev\n"},
	} {
		program := filepath.Join(dir, c.without)
		_ = os.Rename(program, program+".away")
		cmd := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(c.args)...)
		cmd.Env = append(os.Environ(), played+"=1", "PATH="+dir)
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, c.about)
		assert.Equal(t, c.says, string(out), c.about)
		_ = os.Rename(program+".away", program)
	}
}

// TestInstall has programs that stand for sudo and apt-get.
func TestInstall(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for name, script := range map[string]string{"sudo": `exec "$@"`, "apt-get": `echo "$DEBIAN_FRONTEND $*" >> ` + dir + `/said; [ "$1" = update ] || [ "$5" != none ]`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	}
	assert.NoError(t, install([]string{"iperf3", "maven"}))
	said, err := os.ReadFile(filepath.Join(dir, "said"))
	assert.NoError(t, err)
	assert.Equal(t, "noninteractive update -qq\nnoninteractive install -y -qq --no-install-recommends iperf3 maven\n", string(said))
	assert.ErrorContains(t, install([]string{"none"}), "apt-get install -y -qq --no-install-recommends none: exit status 1")
}

func TestAnyBrowserWillDo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	browser := slices.IndexFunc(needs[:], func(n need) bool { return strings.Contains(n.program, "chromium") })
	assert.False(t, needs[browser].here())
	require.NoError(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), "google-chrome"), []byte("#!/bin/sh\n"), 0o700))
	assert.True(t, needs[browser].here())
}

// Programs that every checkout takes, and those of a test of this package.
var given = []string{"go", "git", "make", "sh", "bash"}

// named are the programs that tests look for by another name than a literal.
var named = map[string][]string{
	"given_test.go":                     {"python3", "node"},
	"cmd/tools/browser/browser_test.go": {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"},
}

// TestProgramsOfTestsAreListed, so that what is skipped without one is told.
func TestProgramsOfTestsAreListed(t *testing.T) {
	listed := slices.Clone(given)
	for _, n := range needs {
		listed = append(listed, strings.Fields(n.program)...)
	}
	looked, found := regexp.MustCompile(`LookPath\(("?)([^")]+)"?\)`), 0
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range looked.FindAllStringSubmatch(string(text), -1) {
			programs := []string{m[2]}
			if m[1] == "" {
				programs = named[strings.TrimPrefix(filepath.ToSlash(path), "../../../")]
				assert.NotEmpty(t, programs, "%s looks for %s: this test has to know which programs these are", path, m[2])
			}
			for _, p := range programs {
				assert.Contains(t, listed, p, "%s looks for it: cmd/internal/needs has to list it", path)
				assert.Contains(t, string(text), `"`+p+`"`, path)
			}
			found++
		}
		return err
	})
	require.NoError(t, err)
	assert.Positive(t, found)
}
