//go:build unix

package workshop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A benchrounds that is installed during the run may order turns otherwise.
func TestRoundsOfAnotherBuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "benchrounds")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"), 0o700))
	t.Setenv("PATH", filepath.Dir(file))
	rounds, err := FindRounds()
	require.NoError(t, err)
	cmd, err := Rounds(t.Context(), rounds, "-n=1")
	require.NoError(t, err)
	assert.Equal(t, []string{file, "-n=1"}, cmd.Args)

	require.NoError(t, os.Remove(file))
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\nexit 1\n"), 0o700))
	_, err = Rounds(t.Context(), rounds, "-n=1")
	assert.EqualError(t, err, file+" was built again during the run: the rest would be measured by another build; run again")
}
