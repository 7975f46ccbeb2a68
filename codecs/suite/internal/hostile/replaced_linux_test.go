package hostile

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// replaced is the environment variable that has TestVictimsOfThisBuild put another build in
// the place of its own.
const replaced = "RPCBENCH_TEST_REPLACED"

// TestVictimsOfThisBuild has victims of the build that tests, whatever its path leads to by
// then.
func TestVictimsOfThisBuild(t *testing.T) {
	if os.Getenv(replaced) == "" {
		path := filepath.Join(t.TempDir(), "x.test")
		copyOfThis(t, path)
		cmd := exec.CommandContext(t.Context(), path, "-test.run=^TestVictimsOfThisBuild$")
		cmd.Env = append(os.Environ(), replaced+"=1")
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s", out)
		return
	}
	require.NoError(t, os.Remove(os.Args[0]))
	require.NoError(t, os.WriteFile(os.Args[0], []byte("#!/bin/sh\nexit 9\n"), 0o700))
	p, err := startVictim(good.ID, 0, 1, Timeout)
	require.NoError(t, err)
	var v Verdict
	s, err := p.follow(-1, &v)
	assert.NoError(t, err)
	assert.True(t, s.ended, "it took its input")
	assert.NoError(t, p.cmd.Wait(), "it is no other build")
}

// copyOfThis makes path another copy of this binary.
func copyOfThis(t *testing.T, path string) {
	t.Helper()
	from, err := os.Open(os.Args[0])
	require.NoError(t, err)
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o700)
	require.NoError(t, err)
	_, err = io.Copy(to, from)
	require.NoError(t, err)
	require.NoError(t, to.Close())
}
