package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/recordtest"
)

func TestResultsAreOfTheLastRounds(t *testing.T) {
	unraced(t)
	t.Parallel()
	for name, args := range map[string][]string{
		"of one client":           nil,
		"of two, merged":          {"-clients=2"},
		"of repeats in a process": {"-test.count=2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "new")
			stdout, stderr, code := self(t, append(measuring("^BenchmarkEcho$", "-framework=tiny", "-size=64B", "-conc=2,4", "-results="+dir), args...)...)
			require.Zero(t, code, stderr)
			lines, records := resultLines(stdout), recordtest.In(t, dir)
			runs, kept := map[string]bool{}, 0
			for name, list := range records {
				for _, r := range list {
					kept++
					runs[r.RunName] = true
					assert.EqualValues(t, 1000, r.Result.OK, "%s: not a round before the last", name)
					assert.Equal(t, "v2.3.4", r.Config["tiny"])
					metric := fmt.Sprintf("%.0f p50-ns", r.Metrics["p50-ns"])
					assert.True(t, anyHas(lines, name, metric), "%s with %s is a line", name, metric)
				}
			}
			assert.Len(t, lines, kept, "each line has a record")
			assert.Len(t, runs, 1, "of one run")
		})
	}
}

func anyHas(lines []string, parts ...string) bool {
	for _, line := range lines {
		has := true
		for _, p := range parts {
			has = has && strings.Contains(line, p)
		}
		if has {
			return true
		}
	}
	return false
}

func TestResultsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	stdout, stderr, code := self(t, measuring("^BenchmarkEcho$", "-framework=tiny", "-size=64B", "-results="+file)...)
	assert.Equal(t, 2, code)
	assert.Contains(t, stderr, "rpcbench: -results="+file+": ")
	assert.Empty(t, resultLines(stdout), "it is known before anything is measured")
}
