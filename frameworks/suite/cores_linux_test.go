package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
)

// TestServersByCores: each server has its cores and as many procs, and the client the same beside
// all of them, shared or not.
func TestServersByCores(t *testing.T) {
	t.Parallel()
	available, err := cpus.Available()
	require.NoError(t, err)
	p, err := cpus.Graded([]int{1, 2}, false, available, cpus.ReadTopology(os.DirFS("/"), available))
	if err != nil {
		t.Skip("it takes two cores: ", err)
	}
	file := filepath.Join(t.TempDir(), "places")
	out, errOut, code := selfIn(t, []string{"GOMAXPROCS"}, tinyWork("placed", "-places="+file, "-conc=2", "-cores=1,2")...)
	require.Zero(t, code, errOut)
	want, procs := fmt.Sprintf("%d on %s\n", len(p.Client), p.Client), []string(nil)
	lines := resultLines(out)
	require.Len(t, lines, 2, out)
	for i, g := range p.Grades {
		want += fmt.Sprintf("%d on %s\n", len(g.CPUs), g.CPUs)
		procs = append(procs, fmt.Sprint(len(g.CPUs)))
		key := fmt.Sprintf("/cores=%d", g.Cores)
		if g.Shared {
			key += "-shared"
		}
		assert.Regexp(t, `/conc=2`+key+`(-\d+)?\s.*\scalls/s\s.*client-cpu-ns/op.*server-cpu-ns/op`, lines[i])
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "the client tries the workload first")
	assert.Contains(t, out, "\nserver-procs: "+strings.Join(procs, ", ")+"\n")
	assert.Contains(t, out, "\n# pin-cores: "+p.Cores+"\n")
}

// TestClientsOfServersByCores are processes that make the same plan, in which a server of all
// cores shares them.
func TestClientsOfServersByCores(t *testing.T) {
	unraced(t)
	t.Parallel()
	available, err := cpus.Available()
	require.NoError(t, err)
	all, topology := 1, cpus.ReadTopology(os.DirFS("/"), available)
	for ; err == nil; all++ {
		_, err = cpus.Graded([]int{all + 1}, false, available, topology)
	}
	cores := fmt.Sprintf("cores=%d", all-1)
	out, errOut, code := selfIn(t, []string{"GOMAXPROCS"}, measuring("Echo", "-"+cores, "-clients=2", "-framework=tiny", "-size=1B", "-conc=4", "-conns=2")...)
	require.Zero(t, code, errOut)
	assert.Regexp(t, `^BenchmarkEcho/.*/conc=4/`+cores+`-shared`, strings.Join(resultLines(out), "\n"))
}

// TestCoresWithProcs: the variable would give all servers the same number.
func TestCoresWithProcs(t *testing.T) {
	t.Parallel()
	_, errOut, code := selfIn(t, []string{"GOMAXPROCS=2"}, measuring("Echo", "-cores=1")...)
	assert.Equal(t, 2, code)
	assert.Contains(t, errOut, "-cores=1: servers have as many procs as CPUs, and GOMAXPROCS=2 in the environment says another number: leave one out")
}
