package suite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestEnginesDoNotRefusePlainRuns: the variables of an engine make a rank of a process only
// with -host, where ranks meet, and flags replace them.
func TestEnginesDoNotRefusePlainRuns(t *testing.T) {
	t.Parallel()
	unraced(t)
	slurm := map[string]string{"SLURM_PROCID": "0"}
	tasks := map[string]string{"SLURM_PROCID": "3", "SLURM_NTASKS": "4", "SLURM_JOB_ID": "12"}
	nomad := map[string]string{"NOMAD_ALLOC_INDEX": "2"}
	pod := map[string]string{"JOB_COMPLETION_INDEX": "x"}
	const host = "-host=127.0.0.1:1" // nobody listens there
	for _, c := range []struct {
		about string
		env   map[string]string
		args  []string
		lines int    // results, or names of cases
		say   string // the error, if there are none
	}{
		{"flags go before what is left of Slurm", slurm, []string{"-rank=0", "-ranks=1"}, 1, ""},
		{"names of cases are listed by any rank", slurm, []string{"-cases"}, 1, ""},
		{"names of cases need no number of ranks", nomad, []string{"-cases", host}, 1, ""},
		{"a plain run in Nomad is no rank", nomad, nil, 1, ""},
		{"a plain run in a shell of Slurm is no rank", slurm, nil, 1, ""},
		{"nor is one in a batch script for several tasks", tasks, nil, 1, ""},
		{"nor in a pod, whatever its variable says", pod, nil, 1, ""},
		{"the first rank by a flag is alone", nomad, []string{"-rank=0"}, 1, ""},
		{"ranks by a flag meet somewhere", nil, []string{"-ranks=2", "-run-name=r"}, 0, "-ranks=2: ranks meet where -serve runs: give -host"},
		{"with -host the variable and the flag are named", nomad, []string{host}, 0, "NOMAD_ALLOC_INDEX in the environment makes this rank 2 of how many? Set -ranks"},
		{"those of Slurm as well", slurm, []string{host}, 0, "SLURM_NTASKS=\"\" in the environment: it must be a whole number, since SLURM_PROCID is there, or give -ranks"},
		{"with -host a number of ranks by a flag is enough", nomad, []string{host, "-ranks=2", "-run-name=r", "-rank=2"}, 0, "-rank=2 -ranks=2: the rank must be from 0"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			env := []string{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "NOMAD_ALLOC_INDEX", "JOB_COMPLETION_INDEX"}
			for name, value := range c.env {
				env = append(env, name+"="+value)
			}
			args := append(measuring("Echo", "-framework=tiny", "-size=64B", "-conc=1", "-test.benchtime=10x"), c.args...)
			out, errOut, code := selfIn(t, env, args...)
			assert.Equal(t, c.lines, strings.Count(out, "BenchmarkEcho/"), "%s%s", out, errOut)
			assert.Contains(t, errOut, c.say)
			assert.Equal(t, c.lines == 0, code == 2, errOut)
		})
	}
}
