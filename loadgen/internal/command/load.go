package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/agent"
	"github.com/rpcbench/rpcbench/loadgen/internal/bounds"
	"github.com/rpcbench/rpcbench/loadgen/internal/commandline"
	"github.com/rpcbench/rpcbench/loadgen/internal/condition"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
	"github.com/rpcbench/rpcbench/loadgen/progress"
)

// load is what the flags say of a load.
type load struct {
	amount
	output
	agent          agent.Agent
	require        string
	conditions     []condition.Condition
	stdout, stderr io.Writer
}

// amount is how much load, and for how long.
type amount struct {
	rate                             float64
	arrivals                         string
	seed                             uint64
	callers, workers                 int
	duration, warmup, timeout, every time.Duration
	slack                            time.Duration
}

// defaultRequire is met where every call was made and succeeded.
const defaultRequire = "errors=0,dropped=0"

func (l *load) register(fs *flag.FlagSet) {
	fs.Float64Var(&l.rate, "rate", 0, "`calls` a second, due whether or not others have returned; of all ranks together")
	fs.IntVar(&l.callers, "callers", 0, "a closed loop instead: `callers` that each call again when their call has returned")
	fs.StringVar(&l.arrivals, "arrivals", "constant", "`how` calls follow each other at a rate: constant, or poisson as from independent users")
	fs.Uint64Var(&l.seed, "seed", 1, "`number` that chooses the arrivals of poisson")
	fs.IntVar(&l.workers, "workers", 1000, "most `calls` in flight at a rate; what is due meanwhile waits, and the wait counts")
	fs.DurationVar(&l.duration, "for", 10*time.Second, "how long calls are due, after -warmup")
	fs.DurationVar(&l.warmup, "warmup", 0, "`time` before, whose calls do not count")
	fs.DurationVar(&l.timeout, "timeout", 30*time.Second, "`time` that a call has from when it is sent")
	fs.DurationVar(&l.every, "every", time.Second, "`time` between lines of progress, and between points of the results")
	fs.DurationVar(&l.slack, "slack", 0, "how late a call may be sent to save CPU time; 0 is 100µs")
	fs.StringVar(&l.require, "require", defaultRequire, "`conditions` that the results, those of this rank, must meet, else the exit code is 1, as in 'p99<200ms,errors<0.1%'")
	l.output.register(fs)
	l.agent.Register(fs)
}

func subjects() []commandline.Subject {
	return []commandline.Subject{
		{Title: "How much load", Flags: []string{"rate", "callers", "for", "warmup", "arrivals", "seed", "workers", "timeout", "slack"}},
		{Title: "Results", Flags: []string{"require", "json", "csv", "results", "name", "every", "quiet"}},
		{Title: "One of several machines", Flags: []string{"rank", "ranks", "run-name", "at"}},
	}
}

// check says in one sentence what is wrong with the flags.
func (l *load) check(fs *flag.FlagSet) (err error) {
	switch {
	case l.rate == 0 && l.callers == 0:
		return errors.New("how much load? Give -rate=500 for 500 calls a second, or -callers=10 for a closed loop")
	case l.rate != 0 && l.callers != 0:
		return errors.New("-rate and -callers are two loops: give one of them")
	case l.callers < 0 || l.callers > maxWorkers:
		return fmt.Errorf("-callers=%d: must be from 1 to %d", l.callers, maxWorkers)
	case l.duration <= 0:
		return fmt.Errorf("-for=%v: must be more than 0", l.duration)
	case l.arrivals != "constant" && l.arrivals != "poisson":
		return fmt.Errorf("-arrivals=%s: must be constant or poisson", l.arrivals)
	}
	if name := ofRate(fs); l.callers > 0 && name != "" {
		return fmt.Errorf("-%s is of calls at a rate, and -callers of a closed loop", name)
	}
	if l.conditions, err = condition.Parse(l.require); err != nil {
		return fmt.Errorf("-require: %w", err)
	}
	if err := l.enough(); err != nil {
		return err
	}
	if err := l.output.check(); err != nil {
		return err
	}
	if err := checkDirectory(l.agent.Results); err != nil {
		return fmt.Errorf("-results: %w", err)
	}
	if err := l.agent.CheckRank(); err != nil {
		return err
	}
	return l.amount.check()
}

// check says what is wrong with numbers, in the words of the flags.
func (a *amount) check() error {
	switch {
	case a.callers == 0 && (!(a.rate > 0) || a.rate > maxRate):
		return fmt.Errorf("-rate=%v: must be more than 0 and at most %.0f", a.rate, maxRate)
	case a.workers <= 0 || a.workers > maxWorkers:
		return fmt.Errorf("-workers=%d: must be from 1 to %d", a.workers, maxWorkers)
	case a.every < 10*time.Millisecond || a.every > time.Minute:
		return fmt.Errorf("-every=%v: must be from 10ms to 1m", a.every)
	case a.warmup < 0 || a.timeout < 0 || a.slack < 0:
		return errors.New("-warmup, -timeout and -slack must not be negative")
	case a.slack > time.Second:
		return fmt.Errorf("-slack=%v: must be at most 1s", a.slack)
	}
	return nil
}

// No machine makes so high a rate, and a million workers take some 4 GB before the first call.
const (
	maxRate    = 1e8
	maxWorkers = 1_000_000
)

// ofRate is a flag that was given and has no meaning in a closed loop.
func ofRate(fs *flag.FlagSet) (name string) {
	fs.Visit(func(f *flag.Flag) {
		if slices.Contains([]string{"arrivals", "seed", "workers", "slack"}, f.Name) {
			name = f.Name
		}
	})
	return name
}

// enough refuses a condition on a percentile for which this rank has too few calls.
func (l *load) enough() error {
	calls := l.rate * l.duration.Seconds() / float64(max(l.agent.Ranks, 1))
	for _, c := range l.conditions {
		if needs := 10 / (1 - c.Quantile); c.Kind == condition.Percentile && c.Quantile > .5 && l.rate > 0 && calls < needs*.999 {
			return fmt.Errorf("-require: %s needs %.0f calls, and there are %.0f in %v", figure.Percentile(c.Quantile), needs, calls, l.duration)
		}
	}
	return nil
}

// maxPoints is the most points of series of which a record can be read again, see
// bounds.Size.
const maxPoints = bounds.Size / 200

// checkEndpoints refuses a condition on a part that there will not be, and intervals so short
// that the results would be too long to be read.
func (l *load) checkEndpoints(names []string) error {
	series := int64(1)
	if len(names) > 1 {
		series += int64(len(names))
	}
	if n := int64(l.duration/l.every) * series; n > maxPoints {
		return fmt.Errorf("-every=%v: of %v and %d endpoints there would be %d points, and a record has at most %d: give longer intervals", l.every, l.duration, len(names), n, maxPoints)
	}
	for _, c := range l.conditions {
		switch {
		case c.Part == "":
		case len(names) == 1:
			return fmt.Errorf("-require: condition %q is of one endpoint of several, and %s alone is called: leave {%s} out", c.Text, names[0], c.Part)
		case !slices.Contains(names, c.Part):
			return fmt.Errorf("-require: condition %q is of what is not called: there are %s", c.Text, strings.Join(names, ", "))
		}
	}
	return nil
}

// config is the configuration of all ranks together.
func (l *load) config() loadgen.Config {
	cfg := loadgen.Config{
		Workers: l.workers, Schedule: loadgen.Constant(l.rate), Slack: l.slack,
		Warmup: l.warmup, Duration: l.duration, Timeout: l.timeout, Interval: l.every,
	}
	switch {
	case l.callers > 0:
		cfg.Workers, cfg.Schedule = l.callers, loadgen.ClosedLoop
	case l.arrivals == "poisson":
		cfg.Schedule = loadgen.Poisson(l.rate, l.seed)
	}
	return cfg
}

// run makes the load and tells what came of it, also if it was interrupted.
func (l *load) run(ctx context.Context, s Service) error {
	if err := s.Connect(ctx); err != nil {
		return err
	}
	cfg, err := l.agent.Share(l.config())
	if err != nil {
		return err
	}
	if !l.quiet {
		cfg.OnProgress = progress.Print(l.stderr, cfg)
	}
	if err := l.agent.Wait(ctx); err != nil {
		return err
	}
	began := time.Now().Add(cfg.Warmup)
	res, err := s.Run(ctx, cfg)
	if res == nil {
		return err
	}
	if told := l.tell(s, began, res, err); told != nil {
		return told
	}
	return err
}

// tell prints and writes the results, and says which conditions they do not meet. A rank
// that was interrupted leaves no record to be merged with those of others.
func (l *load) tell(s Service, began time.Time, res *loadgen.Result, ended error) error {
	r := l.agent.Record("Benchmark"+l.nameOf(s), began, res)
	maps.Copy(r.Config, s.Facts())
	maps.Copy(r.Config, l.facts())
	if ended != nil {
		r.Config["ended"] = ended.Error()
	}
	err := l.output.write(l.stdout, l.stderr, r)
	if l.agent.Results != "" && ended == nil {
		_, failed := r.Write(l.agent.Results)
		err = errors.Join(err, failed)
	}
	if err != nil || ended != nil {
		return err
	}
	if res.OK == 0 && res.Due > 0 {
		return errors.New("no call succeeded")
	}
	return res.Require(l.require)
}

// facts are what else the results depend on.
func (l *load) facts() map[string]string {
	facts := map[string]string{"timeout": l.timeout.String()}
	if l.callers == 0 {
		facts["arrivals"], facts["workers"] = l.arrivals, strconv.Itoa(l.workers)
	}
	return facts
}

// nameOf is the name of the benchmark line, without the word that it begins with.
func (l *load) nameOf(s Service) string {
	switch {
	case l.name != "":
		return l.name
	case l.callers > 0:
		return fmt.Sprintf("%s/callers=%d", s.Name(), l.callers)
	}
	return fmt.Sprintf("%s/rate=%v", s.Name(), l.rate)
}
