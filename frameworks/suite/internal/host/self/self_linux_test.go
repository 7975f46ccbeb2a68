package self

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// play is set in a copy of this binary that another build replaces.
const play = "SELF_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(play) == "" {
		os.Exit(m.Run())
	}
	Rename()
	name, _ := os.ReadFile("/proc/self/comm")
	os.Stdout.Write(name)
	path, err := Path()
	if err == nil {
		_ = os.Remove(path)
		err = os.WriteFile(path, []byte("another"), 0o700)
	}
	if err == nil {
		_, err = Path()
	}
	io.WriteString(os.Stdout, err.Error())
	os.Exit(0)
}

func TestThePathOfAnotherBuild(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.test")
	content, err := os.ReadFile(own)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, content, 0o700))
	cmd := exec.CommandContext(t.Context(), path)
	cmd.Env = append(os.Environ(), play+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	assert.Equal(t, "x.test\nx.test was built again during the run: another process of it would be another build; run again", string(out))
}
