package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
)

func BenchmarkWorkload(b *testing.B) { Workload(b) }
func BenchmarkCount(b *testing.B)    { Count(b) }

// tinyWorkloads: two that are right and one that is not always.
func tinyWorkloads() []workload.Workload {
	return []workload.Workload{
		{Name: "steady", About: "nothing", Start: func(string) (workload.Work, error) {
			return workload.Work{Do: func() error { return nil }}, nil
		}},
		{Name: "noted", About: "keeps a diary", Flag: "diary", Usage: "the file of the diary", Start: startNoted},
		{Name: "placed", About: "says where it runs", Flag: "places", Usage: "the file of the places", Start: startPlaced},
		{Name: "moody", About: "fails at times", Flag: "mood", Default: "good", Usage: "why it fails", Start: startMoody},
	}
}

// startNoted writes down the start and the end of the work.
func startNoted(path string) (workload.Work, error) {
	return workload.Work{
		Do:    func() error { return nil },
		Close: func() error { return note(path, " end") },
		Setup: "a diary",
	}, note(path, " start")
}

// note adds a text to a file; to "" none.
func note(path, text string) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// startPlaced writes down the procs and the CPUs of its process, which Linux tells.
func startPlaced(path string) (workload.Work, error) {
	status, _ := os.ReadFile("/proc/self/status")
	_, cpus, _ := strings.Cut(string(status), "Cpus_allowed_list:\t")
	cpus, _, _ = strings.Cut(cpus, "\n")
	return workload.Work{Do: func() error { return nil }}, note(path, fmt.Sprintf("%d on %s\n", runtime.GOMAXPROCS(0), cpus))
}

// startMoody makes work in which, unless the mood is good, one call in 50 fails.
func startMoody(mood string) (workload.Work, error) {
	if mood == "none" {
		return workload.Work{}, errors.New("-mood: there must be one")
	}
	var calls atomic.Int64
	return workload.Work{Do: func() error {
		if n := calls.Add(1); mood != "good" && n > 500 && n%50 == 0 {
			return errors.New(mood)
		}
		return nil
	}}, nil
}

func tinyWork(name string, args ...string) []string {
	return append(measuring("Workload/framework=tiny/transport=tcp/codec=gob/workload="+name), args...)
}

// Slow: servers are started for every workload.
func TestEveryWorkloadHasALine(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Workload", "-framework=tiny,small", "-conc=3,20")...)
	require.Zero(t, code, "%s%s", out, errOut)
	lines := resultLines(out)
	for _, framework := range []string{"tiny", "small"} {
		for _, workload := range []string{"steady", "noted", "placed", "moody"} {
			for _, conc := range []string{"3", "20"} {
				name := fmt.Sprintf("BenchmarkWorkload/framework=%s/transport=tcp/codec=gob/workload=%s/conc=%s", framework, workload, conc)
				require.NotEmpty(t, lines, name)
				assert.True(t, strings.HasPrefix(lines[0], name), "%s: %s", name, lines[0])
				assert.Regexp(t, `\s0 errors`, lines[0])
				lines = lines[1:]
			}
		}
	}
	assert.Empty(t, lines)
	assert.Contains(t, out, "\nworkload-noted: a diary\n")
}

func TestWorkloadsAreChosen(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Workload", "-framework=tiny", "-workload=moody,steady", "-mood=none", "-cases")...)
	require.Zero(t, code, "listing starts nothing: %s", errOut)
	require.Len(t, strings.Fields(out), 2)
	assert.Contains(t, strings.Fields(out)[0], "/workload=steady/", "the order is the table's")
	assert.Contains(t, strings.Fields(out)[1], "/workload=moody/")
}

func TestWorkloadsThatCannotBe(t *testing.T) {
	t.Parallel()
	unraced(t)
	for _, c := range []struct {
		name string
		args []string
		say  string
	}{
		{"an unknown workload", tinyWork("steady", "-workload=steady,nosuch"), `-workload: unknown workload "nosuch": there are steady, noted, placed, moody`},
		{"one that cannot start", measuring("Workload", "-mood=none"), "workload moody: -mood: there must be one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, c.args...)
			assert.Equal(t, "rpcbench: "+c.say+"\n", errOut)
			assert.Equal(t, 2, code)
			assert.Empty(t, out, "nothing half-run")
		})
	}
	t.Run("one that cannot start and is not asked for", func(t *testing.T) {
		_, errOut, code := self(t, tinyWork("steady", "-mood=none")...)
		assert.Zero(t, code, errOut)
	})
}

func TestFailedWorkIsAFailedCall(t *testing.T) {
	unraced(t)
	t.Parallel()
	out, errOut, code := self(t, tinyWork("(steady|moody)", "-conc=10", "-mood=bad")...)
	assert.Equal(t, 1, code)
	require.Len(t, resultLines(out), 2, "the lines are printed all the same")
	assert.Regexp(t, `\s0 errors`, resultLines(out)[0])
	assert.Regexp(t, `\s[1-9][0-9.]* errors`, resultLines(out)[1])
	assert.Contains(t, errOut, "# failed calls: BenchmarkWorkload/framework=tiny/transport=tcp/codec=gob/workload=moody/conc=10: ")
	assert.Contains(t, errOut, "× bad", "the flag's value came to the server")
}

// Slow: servers are started for every workload.
func TestWorkStartsAndEndsWithItsServer(t *testing.T) {
	unraced(t)
	t.Parallel()
	diary := filepath.Join(t.TempDir(), "diary")
	_, errOut, code := self(t, measuring("Echo|Workload", "-framework=tiny", "-size=1B", "-conc=1,2,3", "-diary="+diary)...)
	require.Zero(t, code, errOut)
	text, err := os.ReadFile(diary)
	require.NoError(t, err)
	assert.Equal(t, " start end start end", string(text), "once to try it and once for all cases of a server; none for Echo")
}
