package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSystemsOfTheTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.md")
	require.NoError(t, os.WriteFile(file, []byte("| system | notes |\n|---|---|\n| `linux/arm64` | all |\n| `plan9/386` | none |\n"), 0o600))
	systems, err := listed(file)
	require.NoError(t, err)
	assert.Equal(t, []system{{"linux", "arm64"}, {"plan9", "386"}}, systems)
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
	_, err = listed(file)
	assert.ErrorContains(t, err, "has no table of systems")
	_, err = listed(file + "x")
	assert.Error(t, err)
}

// TestATestThatDoesNotCompile there, though it does here.
func TestATestThatDoesNotCompile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module m\n\ngo 1.26.0\n",
		"m.go":              "package m\n",
		"m_windows_test.go": "package m\n\nvar _ int = \"no number\"\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	_, err := system{"linux", "amd64"}.vet(dir)
	assert.NoError(t, err)
	out, err := system{"windows", "amd64"}.vet(dir)
	assert.Error(t, err)
	assert.Contains(t, string(out), "no number")
}
