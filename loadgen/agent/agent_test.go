package agent

import (
	"context"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// parsed returns the agent of a process with these variables and arguments.
func parsed(t *testing.T, env map[string]string, args ...string) (*Agent, error) {
	t.Helper()
	for _, e := range engines {
		for _, variable := range append(e.runName, e.rank, e.ranks) {
			if variable != "" {
				t.Setenv(variable, "") // restores the variable after the test
				os.Unsetenv(variable)
			}
		}
	}
	for name, value := range env {
		t.Setenv(name, value)
	}
	a, fs := new(Agent), flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	a.Register(fs)
	return a, fs.Parse(args)
}

func TestWhoAnAgentIs(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	for _, c := range []struct {
		about string
		env   map[string]string
		args  []string
		want  Agent
	}{
		{"without an engine it is alone", nil, nil, Agent{Ranks: 1}},
		{"flags say all", nil, []string{"-rank=2", "-ranks=3", "-run-name=r", "-at=1800000000", "-results=d"}, Agent{Rank: 2, Ranks: 3, RunName: "r", Start: at, Results: "d"}},
		{"a time is seconds or RFC 3339", nil, []string{"-at=2027-01-15T08:00:00Z"}, Agent{Ranks: 1, Start: at}},
		{
			"Slurm says who it is, and which step of which job",
			map[string]string{"SLURM_PROCID": "3", "SLURM_NTASKS": "4", "SLURM_JOB_ID": "12", "SLURM_STEP_ID": "0"},
			nil,
			Agent{Rank: 3, Ranks: 4, RunName: "12.0"},
		},
		{
			"a batch script is no step",
			map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "1", "SLURM_JOB_ID": "12"},
			nil,
			Agent{Ranks: 1, RunName: "12"},
		},
		{
			"flags go before, as for the tasks of an array",
			map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "1", "SLURM_JOB_ID": "12"},
			[]string{"-rank=1", "-ranks=2", "-run-name=10"},
			Agent{Rank: 1, Ranks: 2, RunName: "10"},
		},
		{"Kubernetes does not say how many", map[string]string{"JOB_COMPLETION_INDEX": "1"}, nil, Agent{Rank: 1}},
		{"which a flag does", map[string]string{"JOB_COMPLETION_INDEX": "1"}, []string{"-ranks=2"}, Agent{Rank: 1, Ranks: 2}},
		{"a run alone needs no rank, whatever Slurm says", map[string]string{"SLURM_PROCID": "3", "SLURM_NTASKS": "4"}, []string{"-ranks=1"}, Agent{Ranks: 1}},
		{"or Nomad", map[string]string{"NOMAD_ALLOC_INDEX": "3"}, []string{"-ranks=1"}, Agent{Ranks: 1}},
		{"in any order of flags", map[string]string{"NOMAD_ALLOC_INDEX": "3"}, []string{"-ranks=1", "-rank=0"}, Agent{Ranks: 1}},
		{"flags replace variables that are wrong", map[string]string{"SLURM_PROCID": "x", "SLURM_NTASKS": "y"}, []string{"-rank=1", "-ranks=2"}, Agent{Rank: 1, Ranks: 2}},
		{"the first rank is alone where nobody says how many there are", map[string]string{"JOB_COMPLETION_INDEX": "5"}, []string{"-rank=0"}, Agent{Ranks: 1}},
		{"a rank by a flag is among the tasks of Slurm", map[string]string{"SLURM_PROCID": "3", "SLURM_NTASKS": "4"}, []string{"-rank=0"}, Agent{Ranks: 4}},
		{"nor does Nomad", map[string]string{"NOMAD_ALLOC_INDEX": "1", "NOMAD_JOB_ID": "j"}, []string{"-ranks=2"}, Agent{Rank: 1, Ranks: 2, RunName: "j"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			got, err := parsed(t, c.env, c.args...)
			require.NoError(t, err)
			assert.True(t, c.want.Start.Equal(got.Start), got.Start)
			got.Start = c.want.Start
			assert.Equal(t, c.want, *got)
		})
	}
}

func TestBadIdentity(t *testing.T) {
	for _, c := range []struct {
		about string
		env   map[string]string
		args  []string
		say   string
	}{
		{"a rank must be a number", map[string]string{"SLURM_PROCID": "x", "SLURM_NTASKS": "4"}, nil, `SLURM_PROCID="x"`},
		{"so must the number of ranks", map[string]string{"SLURM_PROCID": "0"}, nil, `SLURM_NTASKS=""`},
		{"a start is a time", nil, []string{"-at=+10s"}, "seconds since 1970 or as in 2006"},
		{"what Slurm leaves out is named with the flag for it", map[string]string{"SLURM_PROCID": "0"}, nil, "since SLURM_PROCID is there, or give -ranks"},
		{"so is the variable that makes a rank", map[string]string{"NOMAD_ALLOC_INDEX": "0"}, nil, "NOMAD_ALLOC_INDEX in the environment makes this rank 0 of how many? Set -ranks"},
		{"a flag that is wrong itself", nil, []string{"-ranks=two"}, "must be a whole number"},
		{"of how many?", map[string]string{"JOB_COMPLETION_INDEX": "2"}, nil, "rank 2 of how many? Set -ranks"},
		{"a rank beyond the last", nil, []string{"-rank=4", "-ranks=4"}, "-rank=4 -ranks=4: the rank must be from 0"},
		{"a rank below 0", nil, []string{"-rank=-1", "-ranks=4"}, "-rank=-1"},
		{"less than no ranks", nil, []string{"-ranks=-4"}, "-ranks=-4"},
		{"more ranks than can be merged", nil, []string{"-ranks=100001"}, "-ranks=100001: at most 100000 can be merged"},
		{"a name that no record takes", nil, []string{"-run-name=" + strings.Repeat("負", 90)}, "-run-name: the name of the run, "},
		{"a benchmark of such a name", nil, []string{"-results=" + t.TempDir()}, "agent: the name \"Echo\" must be that of a benchmark line"},
		{"agents of one run know its name", nil, []string{"-ranks=2", "-at=1800000000", "-results=d"}, "no -run-name"},
		{"and when it starts", nil, []string{"-ranks=2", "-run-name=r", "-results=d"}, "no -at"},
		{"and leave a result", nil, []string{"-ranks=2", "-run-name=r", "-at=1800000000"}, "no -results"},
	} {
		t.Run(c.about, func(t *testing.T) {
			a, err := parsed(t, c.env, c.args...)
			if err == nil {
				name := "BenchmarkX"
				if c.about == "a benchmark of such a name" {
					name = "Echo"
				}
				_, err = a.Run(t.Context(), name, constant, never(t).Run)
			}
			assert.ErrorContains(t, err, c.say)
		})
	}
}

var constant = loadgen.Config{Workers: 10, Schedule: loadgen.Constant(10), Duration: time.Second, RuntimeTimers: true}

// never is a call that must not be made.
func never(t *testing.T) loadgen.Call {
	return func(context.Context, int) error { t.Error("sent"); return nil }
}

func TestSharesOfAConfig(t *testing.T) {
	sum := loadgen.Config{}
	for rank := range 3 {
		a := Agent{Rank: rank, Ranks: 3, RunName: "r", Start: time.Now(), Results: "d"}
		share, err := a.Share(loadgen.Config{Workers: 10, Calls: 100, MaxBacklog: 5, Schedule: loadgen.Constant(1)})
		require.NoError(t, err)
		sum.Workers, sum.Calls, sum.MaxBacklog = sum.Workers+share.Workers, sum.Calls+share.Calls, sum.MaxBacklog+share.MaxBacklog
	}
	assert.Equal(t, loadgen.Config{Workers: 10, Calls: 100, MaxBacklog: 5}, sum, "all shares are the whole")
}

// TestWhetherARankIsGiven: an engine gives none.
func TestWhetherARankIsGiven(t *testing.T) {
	for _, c := range []struct {
		about string
		args  []string
		want  bool
	}{
		{"an engine alone", nil, false},
		{"a rank", []string{"-rank=0"}, true},
		{"a number of ranks", []string{"-ranks=1"}, true},
		{"only the name of the run", []string{"-run-name=r"}, false},
	} {
		t.Setenv("SLURM_PROCID", "0")
		a, fs := new(Agent), flag.NewFlagSet("", flag.ContinueOnError)
		a.RegisterRank(fs)
		require.NoError(t, fs.Parse(c.args))
		assert.Equal(t, c.want, RankGiven(fs), c.about)
	}
	assert.False(t, RankGiven(flag.NewFlagSet("", flag.ContinueOnError)), "no such flags")
}

// TestAgentsNumberTheCallsOfARun: together they have each number once, as one process does.
func TestAgentsNumberTheCallsOfARun(t *testing.T) {
	trace := make([]time.Duration, 23)
	for _, c := range []struct {
		about string
		whole loadgen.Config
	}{
		{"each entry of a trace is used once", loadgen.Config{Schedule: loadgen.Trace(trace)}},
		{"an open loop counts by due time", loadgen.Config{Schedule: loadgen.Constant(1e5), Calls: 23}},
		{"the calls of a closed loop are dealt out", loadgen.Config{Schedule: loadgen.ClosedLoop, Calls: 23}},
	} {
		t.Run(c.about, func(t *testing.T) {
			var mu sync.Mutex
			used := make([]int, len(trace))
			c.whole.Workers, c.whole.RuntimeTimers = 8, true
			c.whole.OnCall = func(_ int, a loadgen.Arrival) {
				mu.Lock()
				defer mu.Unlock()
				used[a.Number]++
			}
			for rank := range 4 {
				a := Agent{Rank: rank, Ranks: 4, RunName: "r", Start: time.Now(), Results: "d"}
				share, err := a.Share(c.whole)
				require.NoError(t, err)
				_, err = loadgen.Run(t.Context(), share, func(context.Context, int) error { return nil })
				require.NoError(t, err)
			}
			for number, times := range used {
				assert.Equal(t, 1, times, "number %d", number)
			}
		})
	}
}

func TestBadShares(t *testing.T) {
	a := Agent{Ranks: 4, RunName: "r", Start: time.Now(), Results: "d"}
	for _, c := range []struct {
		about  string
		change func(*loadgen.Config)
		say    string
	}{
		{"an agent needs a worker", func(c *loadgen.Config) { c.Workers = 3 }, "Workers is 3: it cannot be divided among 4"},
		{"no calls would be no bound", func(c *loadgen.Config) { c.Calls = 3 }, "Calls is 3"},
		{"nor would no backlog", func(c *loadgen.Config) { c.MaxBacklog = 1 }, "MaxBacklog is 1"},
		{"which calls are the first?", func(c *loadgen.Config) { c.Calls, c.Warmup = 8, 1 }, "Calls with a Warmup"},
	} {
		cfg := constant
		c.change(&cfg)
		_, err := a.Share(cfg)
		assert.ErrorContains(t, err, c.say, c.about)
	}
}

func TestStart(t *testing.T) {
	for _, c := range []struct {
		about string
		ahead time.Duration
		say   string
	}{
		{"agents that were started apart begin together", 1500 * time.Millisecond, ""},
		{"now is not too late", 0, ""},
		{"one that is late says how much", -1234 * time.Millisecond, "was 1.234s ago"},
		{"milliseconds are not seconds", 1e6 * time.Hour, "more than 24h0m0s ahead"},
	} {
		t.Run(c.about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := Agent{Start: time.Now().Add(c.ahead)}
				err := a.Wait(t.Context())
				if c.say != "" {
					assert.ErrorContains(t, err, c.say)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, a.Start, time.Now())
			})
		})
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		a := Agent{Ranks: 1, Start: time.Now().Add(time.Hour)}
		_, err := a.Run(ctx, "BenchmarkX", constant, never(t).Run)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestWhatIsWritten(t *testing.T) {
	call := func(context.Context, int) error { return nil }
	for _, c := range []struct {
		about string
		a     Agent
		line  string
		files int
		say   string
	}{
		{"a record", Agent{Ranks: 1, Results: "d", RunName: "r"}, "BenchmarkX", 1, ""},
		{"one that is alone needs no name", Agent{Ranks: 1, Results: "d"}, "BenchmarkX", 1, ""},
		{"nor a directory", Agent{Ranks: 1}, "BenchmarkX", 0, ""},
		{"benchstat would not see another line", Agent{Ranks: 1, Results: "d"}, "X", 0, "that of a benchmark line"},
		{"nor read one with spaces", Agent{Ranks: 1, Results: "d"}, "BenchmarkX y", 0, "that of a benchmark line"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Chdir(t.TempDir())
			synctest.Test(t, func(t *testing.T) {
				cfg := constant
				cfg.Warmup = time.Second
				began := time.Now()
				_, err := c.a.Run(t.Context(), c.line, cfg, loadgen.Call(call).Run)
				if c.say != "" {
					assert.ErrorContains(t, err, c.say)
				} else {
					require.NoError(t, err)
				}
				for _, r := range records(t, "d", c.files) {
					assert.NotEmpty(t, r.RunName)
					assert.True(t, r.Start.Equal(began.Add(time.Second)), "after the warm-up")
				}
			})
		})
	}
}

func TestARunThatEndsEarlyIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		a := Agent{Ranks: 1, Results: dir}
		res, err := a.Run(ctx, "BenchmarkX", constant, loadgen.Call(func(context.Context, int) error { return nil }).Run)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Positive(t, res.Sent)
	})
	records(t, dir, 0)
}

// records reads all records of a directory.
func records(t *testing.T, dir string, n int) (list []*record.Record) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, paths, n)
	for _, path := range paths {
		r, err := record.Read(path)
		require.NoError(t, err)
		list = append(list, r)
	}
	return list
}

// queue is a server that serves one call at a time, each in the same time, and stands
// still for the first tenth of each second.
type queue struct {
	mu    sync.Mutex
	start time.Time
	free  time.Time
}

const (
	takes  = 100 * time.Microsecond
	frozen = 100 * time.Millisecond
)

func (q *queue) call(context.Context, int) error {
	q.mu.Lock()
	now := time.Now()
	if q.free.Before(now) {
		q.free = now
	}
	if into := q.free.Sub(q.start) % time.Second; into < frozen {
		q.free = q.free.Add(frozen - into)
	}
	q.free = q.free.Add(takes)
	done := q.free.Sub(now)
	q.mu.Unlock()
	time.Sleep(done)
	return nil
}

// TestFourAgentsSeeWhatOneSees compares four agents at a quarter of the rate each with
// one agent at the full rate.
func TestFourAgentsSeeWhatOneSees(t *testing.T) {
	for name, schedule := range map[string]loadgen.Schedule{
		"poisson":  loadgen.Poisson(6000, 1),
		"constant": loadgen.Constant(6000),
		"ramp":     loadgen.Ramp(1000, 6000, 5*time.Second),
	} {
		t.Run(name, func(t *testing.T) {
			one, four := together(t, 1, schedule), together(t, 4, schedule)
			assert.Equal(t, calls(schedule), one.OK, "no call is lost")
			assert.Equal(t, one.OK, four.OK, "nor among agents")
			assert.Equal(t, &one.Response, &four.Response)
			assert.Equal(t, one.Elapsed, four.Elapsed)
			for _, q := range []float64{0, .1, .5, .9, .95, .99, .999, 1} {
				assert.InEpsilon(t, one.Response.Quantile(q), four.Response.Quantile(q), .001, "%v", q)
			}
			assert.Greater(t, one.Response.Quantile(.99), frozen/2, "there was something to see")
		})
	}
}

// calls counts the arrivals of the run.
func calls(s loadgen.Schedule) (n int64) {
	arrivals := s.Start()
	for due, ok := arrivals.Next(); ok && due < 5*time.Second; due, ok = arrivals.Next() {
		n++
	}
	return n
}

// together has agents, which start at different times, load a queue, and merges their
// records.
func together(t *testing.T, ranks int, schedule loadgen.Schedule) *loadgen.Result {
	t.Helper()
	dir, sum := t.TempDir(), new(loadgen.Result)
	synctest.Test(t, func(t *testing.T) {
		server := queue{start: time.Now().Add(time.Second)}
		var agents sync.WaitGroup
		for rank := range ranks {
			agents.Go(func() {
				time.Sleep(time.Duration(rank) * 20 * time.Millisecond)
				a := Agent{Rank: rank, Ranks: ranks, RunName: "r", Start: server.start.Add(-time.Millisecond), Results: dir}
				cfg := loadgen.Config{Workers: 1000, Schedule: schedule, Duration: 5 * time.Second, RuntimeTimers: true}
				cfg.OnStart = func() { time.Sleep(time.Until(server.start)) } // so that all begin at the same fake time
				_, err := a.Run(t.Context(), "BenchmarkQueue", cfg, loadgen.Call(server.call).Run)
				assert.NoError(t, err)
			})
		}
		agents.Wait()
	})
	for _, r := range records(t, dir, ranks) {
		require.NoError(t, sum.Merge(r.Result))
		share := float64(calls(schedule)) / float64(ranks)
		assert.LessOrEqual(t, math.Abs(float64(r.Result.OK)-share), 1., "rank %d has its share", r.Rank)
	}
	return sum
}
