package agent

import (
	"flag"
	"fmt"
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

// Register adds the flags of RegisterRank, and -at and -results, to fs. The error is that
// of RegisterRank.
func (a *Agent) Register(fs *flag.FlagSet) error {
	fs.Func("at", "when all agents start, in seconds since 1970 or as in 2006-01-02T15:04:05Z", func(s string) (err error) {
		a.Start, err = parseTime(s)
		return err
	})
	fs.StringVar(&a.Results, "results", "", "directory for the record of what is measured")
	return a.RegisterRank(fs)
}

// RegisterRank adds the flags -rank, -ranks and -run-name to fs. Their defaults come from
// the engine that started this process: Slurm gives a rank, the ranks and a name,
// Kubernetes a rank, and Nomad a rank and a name. Without an engine the agent is alone.
// The error says which of the engine's variables is wrong.
func (a *Agent) RegisterRank(fs *flag.FlagSet) error {
	fs.IntVar(&a.Rank, "rank", 0, "`number` of this agent, from 0; from the engine if it is Slurm, Kubernetes or Nomad")
	fs.IntVar(&a.Ranks, "ranks", 1, "how many agents there are; from the engine if it is Slurm")
	fs.StringVar(&a.RunName, "run-name", "", "name of the run, which no other has; from the engine if it is Slurm or Nomad")
	for _, e := range engines {
		if _, ok := os.LookupEnv(e.rank); ok {
			return a.takeFrom(e)
		}
	}
	return nil
}

func (a *Agent) takeFrom(e engine) (err error) {
	if a.Rank, err = wholeNumber(e.rank); err != nil {
		return err
	}
	a.Ranks = 0
	if e.ranks != "" {
		a.Ranks, err = wholeNumber(e.ranks)
	}
	var parts []string
	for _, variable := range e.runName {
		if value := os.Getenv(variable); value != "" {
			parts = append(parts, value)
		}
	}
	a.RunName = strings.Join(parts, ".")
	return err
}

func wholeNumber(variable string) (int, error) {
	n, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return 0, fmt.Errorf("agent: %s=%q in the environment: it must be a whole number", variable, os.Getenv(variable))
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
