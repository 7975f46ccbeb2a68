package rpcbench_test

import (
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlatforms vets the modules that others import for each system in the table of
// CONTRIBUTING.md. Vet compiles the tests as well.
func TestPlatforms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 10 s, and 2 minutes when nothing is compiled yet")
	}
	systems := regexp.MustCompile("(?m)^\\| `([a-z]+)/([a-z0-9]+)` \\|").FindAllStringSubmatch(read(t, "CONTRIBUTING.md"), -1)
	require.GreaterOrEqual(t, len(systems), 4)
	for _, s := range systems {
		for _, module := range []string{"loadgen", "frameworks/suite", "codecs/suite", "cmd"} {
			t.Run(s[1]+"/"+s[2]+"/"+module, func(t *testing.T) {
				vet := exec.CommandContext(t.Context(), "go", "-C", module, "vet", "./...")
				vet.Env = append(vet.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS="+s[1], "GOARCH="+s[2])
				out, err := vet.CombinedOutput()
				assert.NoError(t, err, "%s", out)
			})
		}
	}
}
