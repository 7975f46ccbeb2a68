package process

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProcessesBesideServersHaveAChosenEnvironment(t *testing.T) {
	t.Setenv("GIT_DIR", "hook")
	t.Setenv("MYAPP_CONFIG", "own")
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "echo $GIT_DIR $MYAPP_CONFIG")
	var out strings.Builder
	cmd.Stdout = &out
	wait, err := Begin(cmd)
	require.NoError(t, err)
	require.NoError(t, wait())
	assert.Equal(t, "own\n", out.String())
}
