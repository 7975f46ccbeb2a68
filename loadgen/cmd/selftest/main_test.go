package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain runs the command if the process was started for that.
func TestMain(m *testing.M) {
	if os.Getenv("SELFTEST_TEST") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestOutput(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "SELFTEST_TEST=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	assert.Regexp(t, `^procs \d+, a call costs \S+, at most \S+ M calls/s\n(slack +(100µs|1ns), at +\d+ calls/s: +\d+ sent, lag p50 \S+, p99 \S+\n){6}$`, string(out))
}

func TestOutputThatIsLost(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	var said strings.Builder
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), "SELFTEST_TEST=1"), full, &said
	require.Error(t, cmd.Run())
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Equal(t, "selftest: write /dev/stdout: no space left on device\n", said.String())
}

func TestCommandLines(t *testing.T) {
	for _, c := range []struct {
		about, arg     string
		code           int
		stdout, stderr string
	}{
		{"help", "-h", 0, "Usage: selftest\n\nPrints what the load generator can do on this host, in some 5 seconds.\n", ""},
		{"a flag", "-rate", 2, "", "selftest: unknown flag -rate; -h lists the flags\n"},
		{"an argument", "x", 2, "", "selftest: it takes no arguments, and [\"x\"] is given\n"},
	} {
		var stdout, stderr strings.Builder
		assert.Equal(t, c.code, run([]string{c.arg}, &stdout, &stderr), c.about)
		assert.Equal(t, c.stdout, stdout.String(), c.about)
		assert.Equal(t, c.stderr, stderr.String(), c.about)
	}
}
