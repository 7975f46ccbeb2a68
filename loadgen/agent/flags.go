package agent

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"
)

// engine is a program that starts agents, with the environment variables in which
// it tells each agent its rank and its run. What an engine has no variable for must
// be given by a flag.
type engine struct {
	rank, ranks string
	runName     []string // variables whose values make up the name
}

var engines = []engine{
	{"SLURM_PROCID", "SLURM_NTASKS", []string{"SLURM_JOB_ID", "SLURM_STEP_ID"}},
	{"JOB_COMPLETION_INDEX", "", nil}, // an indexed Job of Kubernetes
	{"NOMAD_ALLOC_INDEX", "", []string{"NOMAD_JOB_ID"}},
}

// Register adds the flags of RegisterRank, and -at and -results, to fs.
func (a *Agent) Register(fs *flag.FlagSet) {
	fs.Func("at", "`time` when all agents start, in seconds since 1970 or as in 2006-01-02T15:04:05Z", func(s string) (err error) {
		a.Start, err = parseTime(s)
		return err
	})
	fs.StringVar(&a.Results, "results", "", "`directory` for the record of what is measured")
	a.RegisterRank(fs)
}

// RegisterRank adds the flags -rank, -ranks and -run-name to fs. Their defaults come from
// the engine that started this process: Slurm gives a rank, the ranks and a name,
// Kubernetes a rank, and Nomad a rank and a name. Without an engine the agent is alone.
//
// A flag that is given replaces what the engine says, and what is wrong with it. With -ranks=1
// the agent is alone, whatever rank the engine says; so it is with -rank=0 where the engine
// does not say how many there are. CheckRank tells which of the engine's variables is
// wrong or missing, since only then is it known which flags replace them.
func (a *Agent) RegisterRank(fs *flag.FlagSet) {
	*a = Agent{Ranks: 1, Start: a.Start, Results: a.Results}
	e, started := engineHere()
	if started {
		a.takeFrom(e)
	}
	rank, ranks := &whole{n: &a.Rank}, &whole{n: &a.Ranks}
	rank.then = func() {
		if _, told := os.LookupEnv(e.ranks); !ranks.given && !told {
			a.Ranks = 1
		}
	}
	ranks.then = func() {
		if !rank.given && a.Ranks == 1 {
			a.Rank = 0
		}
	}
	fs.Var(rank, "rank", "`number` of this agent, from 0; from the engine if it is Slurm, Kubernetes or Nomad")
	fs.Var(ranks, "ranks", "`number` of agents; from the engine if it is Slurm")
	fs.StringVar(&a.RunName, "run-name", a.RunName, "`name` of the run, which no other has; from the engine if it is Slurm or Nomad")
}

// RankGiven reports whether -rank or -ranks of RegisterRank was given, once fs has parsed the
// flags. A program in which ranks make no sense by themselves ignores an engine without them.
func RankGiven(fs *flag.FlagSet) bool {
	for _, name := range []string{"rank", "ranks"} {
		if f := fs.Lookup(name); f != nil {
			if n, ok := f.Value.(*whole); ok && n.given {
				return true
			}
		}
	}
	return false
}

// whole is the value of a flag that is a whole number.
type whole struct {
	n     *int
	given bool
	then  func() // once it is given
}

// String implements flag.Value, also for the zero value.
func (w *whole) String() string {
	if w.n == nil {
		return "0"
	}
	return strconv.Itoa(*w.n)
}

// Set implements flag.Value.
func (w *whole) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil {
		return errors.New("must be a whole number")
	}
	*w.n, w.given = n, true
	w.then()
	return nil
}

// engineHere is the engine that started this process, if one has.
func engineHere() (engine, bool) {
	for _, e := range engines {
		if _, ok := os.LookupEnv(e.rank); ok {
			return e, true
		}
	}
	return engine{}, false
}

// What is not known of an agent until a flag says it.
const (
	noRank  = math.MinInt
	noRanks = 0
)

func (a *Agent) takeFrom(e engine) {
	var err error
	if a.Rank, err = wholeNumber(e.rank); err != nil {
		a.Rank = noRank
	}
	if a.Ranks, err = wholeNumber(e.ranks); err != nil {
		a.Ranks = noRanks
	}
	var parts []string
	for _, variable := range e.runName {
		if value := os.Getenv(variable); value != "" {
			parts = append(parts, value)
		}
	}
	a.RunName = strings.Join(parts, ".")
}

// checkEngine says which variable of the engine does not say what no flag says.
func (a *Agent) checkEngine() error {
	e, started := engineHere()
	if !started {
		return nil
	}
	if _, err := wholeNumber(e.rank); a.Rank == noRank && err != nil {
		return fmt.Errorf("%w, or give -rank", err)
	}
	if a.Ranks != noRanks {
		return nil
	}
	if e.ranks == "" {
		return fmt.Errorf("agent: %s in the environment makes this rank %d of how many? Set -ranks: neither Kubernetes nor Nomad says; -ranks=1 is a run alone", e.rank, a.Rank)
	}
	if _, err := wholeNumber(e.ranks); err != nil {
		return fmt.Errorf("%w, since %s is there, or give -ranks; -ranks=1 is a run alone", err, e.rank)
	}
	return nil
}

func wholeNumber(variable string) (int, error) {
	n, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return 0, fmt.Errorf("agent: %s=%.40q in the environment: it must be a whole number", variable, os.Getenv(variable))
	}
	return n, nil
}

func parseTime(s string) (time.Time, error) {
	if seconds, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.Unix(seconds, 0), nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, fmt.Errorf("must be a time, the same for all agents, in seconds since 1970 or as in 2006-01-02T15:04:05Z")
	}
	return t, nil
}
