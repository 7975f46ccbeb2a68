//go:build unix

package host

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
)

func init() {
	helpers["is built again"] = isBuiltAgain
}

// another is what the other build does.
const another = "#!/bin/sh\necho another build; exit 9\n"

// isBuiltAgain puts another build at the path of this process, and starts processes of it.
func isBuiltAgain() int {
	os.Unsetenv(envHelper)
	path, err := os.Executable()
	if err == nil {
		err = os.Remove(path)
	}
	if err == nil {
		err = os.WriteFile(path, []byte(another), 0o700)
	}
	if err != nil {
		fmt.Println(err)
		return 3
	}
	h, err := Start(context.Background(), Config{Serve: "echo"})
	fmt.Println("server:", err)
	if err == nil {
		fmt.Println("versions:", h.Ready().Versions)
		_ = h.Stop()
	}
	stdout, _, code, err := process.Again(context.Background(), "-test.run=^$")
	fmt.Println("again:", strings.TrimSpace(stdout), code, err)
	return 0
}

func TestABinaryThatIsBuiltAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.test")
	copyFile(t, path)
	cmd := exec.CommandContext(t.Context(), path)
	cmd.Env = append(os.Environ(), envHelper+"=is built again")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.NotContains(t, string(out), "another build\n")
	if runtime.GOOS != "linux" {
		assert.Contains(t, string(out), "server: host: start echo: x.test was built again during the run: ")
		return
	}
	assert.Contains(t, string(out), "server: <nil>\nversions: map[example.com/echo:v1.2.3]\n", "the server is of the first build")
	assert.Regexp(t, `again: (testing: warning: no tests to run\s+)?PASS.* 0 <nil>`, string(out))
}

// copyFile makes path another copy of this binary.
func copyFile(t *testing.T, path string) {
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
