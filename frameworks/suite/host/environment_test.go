package host

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Not for one framework alone: what matters to all stays.
func TestLeaveOut(t *testing.T) {
	for _, name := range []string{envLeftOut, "HTTPS_PROXY", "no_proxy", "GRPC_GO_LOG_SEVERITY_LEVEL", "GOGC", "MY_HTTPS_PROXY"} {
		t.Setenv(name, "")
		assert.NoError(t, os.Unsetenv(name))
	}
	assert.NotContains(t, LeaveOut(), "HTTPS_PROXY", "what is not set is not left out")
	for _, name := range []string{"HTTPS_PROXY", "no_proxy", "GRPC_GO_LOG_SEVERITY_LEVEL", "GOGC", "MY_HTTPS_PROXY"} {
		t.Setenv(name, "100")
	}
	names := LeaveOut()
	assert.Subset(t, names, []string{"GRPC_GO_LOG_SEVERITY_LEVEL", "HTTPS_PROXY", "no_proxy"})
	assert.NotContains(t, names, "GOGC", "it is the same for all")
	assert.NotContains(t, names, "MY_HTTPS_PROXY", "it is another name")
	for _, name := range names {
		assert.Empty(t, os.Getenv(name), "no framework reads it")
	}
	assert.Equal(t, names, LeaveOut(), "the process executed again tells the same")
}
