package suite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
)

// shelf is a directory of builds of this test binary, which differ behind their end.
func shelf(t *testing.T, names ...string) (dir string) {
	dir = t.TempDir()
	binary, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	for i, name := range names {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, append(binary, make([]byte, i)...), 0o755))
	}
	return dir
}

// runOf runs a binary to its end.
func runOf(t *testing.T, binary string, args ...string) (stdout, stderr string, code int) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out, errOut strings.Builder
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	_ = cmd.Run() // what it printed tells more
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// TestRanksThatStay follow run after run, of builds by turns, with the flags of each. The servers are
// of the same builds.
func TestRanksThatStay(t *testing.T) {
	t.Parallel()
	dir := shelf(t, "serving.test", "one.test", filepath.Join("base", "one.test"))
	elsewhere := filepath.Join(shelf(t, "x", "y", "z", "other.test"), "other.test")
	at := "-host=" + serveMachine(t, nil, filepath.Join(dir, "serving.test"), "-serve")
	common := func(rank int) []string {
		return append(rankFlags(t.Name(), rank, 3), at, "-stay=5s", "-gather=20s")
	}
	var staying sync.WaitGroup
	results := t.TempDir()
	for rank := 1; rank < 3; rank++ {
		staying.Go(func() {
			out, errOut, code := runOf(t, filepath.Join(dir, "serving.test"), common(rank)...)
			assert.Zero(t, code, errOut)
			assert.Empty(t, out)
			assert.Contains(t, errOut, "there is no file of the build other.test (SHA-256 ", "the last run has ended for this")
		})
	}
	for i, name := range []string{"one.test", "base/one.test", "serving.test", "one.test"} {
		args := measuring("Echo", "-framework=tiny", "-size=64B", fmt.Sprintf("-conc=%d", 6+i), "-conns=3", "-results="+results)
		out, errOut, code := runOf(t, filepath.Join(dir, name), slices.Concat(args, common(0))...)
		require.Zero(t, code, "%s: %s%s", name, out, errOut)
		lines := resultLines(out)
		require.Len(t, lines, 1, name)
		assert.Regexp(t, fmt.Sprintf(`/conc=%d\S*\s+1000\s.* 0 errors`, 6+i), lines[0])
		assert.NotContains(t, out+errOut, "machines-differ")
	}
	assert.Len(t, recordtest.RequireSums(t, results, 3), 4)
	out, errOut, code := runOf(t, elsewhere, append(measuring("Echo", "-framework=tiny", "-size=64B", "-conc=6"), common(0)...)...)
	assert.Equal(t, 2, code, out)
	assert.Contains(t, errOut, "there is no file of the build other.test (SHA-256 ")
	staying.Wait()
}
