package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

func stepOf(full, unit string, at int, change float64) history.Step {
	s := history.Series{Name: lines.ParseName(full), Unit: unit, Versions: []string{"v1", "v2", "v3"}}
	return history.Step{Series: s, At: at, Change: pairs.Change{Value: change}}
}

func TestCPUSteps(t *testing.T) {
	const client, server = "client-cpu-ns/op", "server-cpu-ns/op"
	for _, c := range []struct {
		about string
		list  []history.Step
		want  []stepped
	}{
		{"nothing has a step", nil, nil},
		{"other figures need no profile", []history.Step{stepOf("BenchmarkX", "p50-ns", 1, .2), stepOf("BenchmarkX", "B/op", 1, .2)}, nil},
		{
			"sides and cases of a version are looked into together",
			[]history.Step{stepOf("BenchmarkX", client, 1, .1), stepOf("BenchmarkX", server, 1, -.3), stepOf("BenchmarkY", history.CPU, 1, .2)},
			[]stepped{{"v1", "v2", []string{"BenchmarkX", "BenchmarkY"}, .3}},
		},
		{
			"the largest comes first, be it up or down",
			[]history.Step{stepOf("BenchmarkX", client, 1, .1), stepOf("BenchmarkX", client, 2, -.2)},
			[]stepped{{"v2", "v3", []string{"BenchmarkX"}, .2}, {"v1", "v2", []string{"BenchmarkX"}, .1}},
		},
	} {
		assert.Equal(t, c.want, cpuSteps(c.list), c.about)
	}
}

// profiled is a program that keeps what -anatomy keeps, with this number of samples of a function,
// each of which is 1 µs of a call.
func profiled(t *testing.T, spin int) program {
	return fake(t, fmt.Sprintf(`for a; do case $a in
	-cases) echo BenchmarkX; exit;;
	-anatomy=*) d=${a#*=};;
	esac; done
	mkdir -p "$d"; f=$d/$$; now=$(date -u +%%Y-%%m-%%dT%%H:%%M:%%S.%%NZ)
	printf 'main.main;syscall.write 10\nmain.main;net/rpc.(*Client).send;net/rpc.spin %d\n' >"$f.client.folded"
	echo 'main.main;syscall.write 10' >"$f.server.folded"
	echo '{"name": "BenchmarkX", "start": "'$now'", "metrics": {"client-cpu-ns/op": %d, "server-cpu-ns/op": 10000}, "config": {"sample": "1ms"}, "result": {"sent": 1000}}' >"$f.json"
	echo "BenchmarkX 1 5 ns/op"; echo PASS`, spin, 1000*(10+spin)))
}

// lookerOf is one at binaries that do not know -anatomy, of v1, and at two that do.
func lookerOf(t *testing.T) (*looker, []*subject) {
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", dir, "../benchrounds").CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	w, err := workshop.New(t.Context(), "benchhistory-test")
	require.NoError(t, err)
	t.Cleanup(w.Close)
	before := fake(t, `echo "flag provided but not defined: -anatomy" >&2; exit 2`)
	var subjects []*subject
	for i, p := range []program{before, profiled(t, 1), profiled(t, 6)} {
		subjects = append(subjects, &subject{version: fmt.Sprintf("v%d", i+1), programs: []program{p}})
	}
	b := &builder{Workshop: w, options: options{anatomy: true, args: []string{"-conc=1"}}}
	look, err := b.look(t.Context(), subjects)
	require.NoError(t, err)
	return look, subjects
}

// The binaries of the rounds are profiled.
func TestBehindSteps(t *testing.T) {
	look, subjects := lookerOf(t)
	const cpu = "client-cpu-ns/op"
	assert.Equal(t, `
Behind the step at v3, µs of CPU time of a call with v2, with v3, and the change:
X, client                 11.00    16.00  +5.00 (+5.00 to +5.00)
  framework                1.00     6.00  +5.00 (+5.00 to +5.00)  net/rpc.spin
X, server                 10.00    10.00  cannot be told: ±0.000
  which functions changed cannot be told
Behind the step at v2, µs of CPU time of a call with v1, with v2, and the change:
  Parts of a call are not compared, since binaries of v1 do not know -anatomy.
`, look.behind(t.Context(), subjects, []history.Step{stepOf("BenchmarkX", cpu, 2, .5), stepOf("BenchmarkX", cpu, 1, .1)}))
	var list []history.Step
	for i, version := range []string{"v3", "v4", "v5", "v6", "v7"} {
		step := stepOf("BenchmarkX", cpu, 1, 1/float64(1+i))
		step.Versions = []string{"v1", version}
		list = append(list, step)
	}
	text := look.behind(t.Context(), subjects, list)
	assert.Contains(t, text, "Behind the step at v5,")
	assert.True(t, strings.HasSuffix(text, "\nNot looked into, behind 3 larger steps: v6, v7.\n"), text)
	assert.Equal(t, "\nNo CPU time of a call has a step: there is no function to name.\n", look.behind(t.Context(), subjects, nil))
	look = nil
	assert.Empty(t, look.behind(t.Context(), subjects, list), "without -anatomy")
}
