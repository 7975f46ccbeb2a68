package hostile

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVictimsHaveAChosenEnvironment(t *testing.T) {
	t.Setenv("SONIC_ENCODER_USE_VM", "1")
	t.Setenv("GIT_INDEX_FILE", "1")
	p, err := startVictim(good.ID, 0, 0, Timeout)
	require.NoError(t, err)
	defer p.reports.Close()
	assert.NotContains(t, p.cmd.Env, "SONIC_ENCODER_USE_VM=1", "a victim decodes as all others do")
	assert.NotContains(t, p.cmd.Env, "GIT_INDEX_FILE=1")
	p.killer.Stop()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}
