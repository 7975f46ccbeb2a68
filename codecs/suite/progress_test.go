package suite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheListOfCasesTellsTheirTime(t *testing.T) {
	for _, c := range []struct {
		about, args string
		cases       int
		say         string
	}{
		{"a case is a line", "-test.benchtime=1s", 3, "# 3 cases, about 5s\n"},
		{"each number of procs has its line", "-test.cpu=1,2,4 -test.benchtime=1s", 9, "# 9 cases, about 14s\n"},
		{"which a number of operations does not change", "-test.cpu=1,2,4 -test.benchtime=100000x", 9, "# 9 cases, about 3s\n"},
		{"what is skipped is no case", "-test.skip=///op=unmarshal -test.benchtime=1s", 1, "# 1 cases, about 2s\n"},
	} {
		args := append([]string{"-cases", "-test.run=^$", "-test.bench=Codec/codec=good/msg=small"}, strings.Fields(c.args)...)
		out, errOut, code := self(t, args...)
		require.Zero(t, code, c.about)
		assert.Len(t, strings.Fields(out), c.cases, "%s: %s", c.about, out)
		assert.Equal(t, c.say, errOut, c.about)
	}
}

func TestTheListIsAloneOnStdout(t *testing.T) {
	before := os.Stdout
	code, err := quietly(os.DevNull, func() int { assert.NotSame(t, before, os.Stdout); return 3 })
	assert.NoError(t, err)
	assert.Equal(t, 3, code)
	_, err = quietly(filepath.Join(t.TempDir(), "none"), func() int { t.Error("it runs"); return 0 })
	assert.ErrorContains(t, err, "-cases: open ", "a file that cannot be opened has its sentence")
	assert.Same(t, before, os.Stdout)
}

// TestProgressOfARun has both outputs go to one place, as go test has them.
func TestProgressOfARun(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$", "-test.benchtime=1x", "-test.bench=Codec/codec=good/msg=small").CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "# 3 cases, about 0s\n")
	assert.Equal(t, 3, strings.Count(string(out), "\nBenchmarkCodec/codec=good/msg=small/op="))
	out, err = exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$", "-test.benchtime=1x", "-test.bench=Codec/codec=good/msg=small").Output()
	require.NoError(t, err)
	assert.NotContains(t, string(out), "# 3 cases", "nobody sees it")
	assert.Contains(t, string(out), "\nprocs: ")
	assert.Contains(t, string(out), "\ngo: go1.")
	assert.True(t, strings.HasPrefix(string(out), units))
}
