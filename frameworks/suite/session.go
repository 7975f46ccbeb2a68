package suite

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/commandline"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/estimate"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/progress"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// session is what Main sets up for the benchmarks and the conformance test.
type session struct {
	flags *rig.Flags
	plan  *plan.Plan
	rig   *rig.Rig

	progress     *progress.Progress
	ending       sync.Mutex // the end of the run or an interrupt, whichever is first, locks it and keeps it
	benchmarking bool
	cases, table bool // the flags -cases and -variants
	storms       bool // the flag -storms
}

// current is set once, by Main, since testing hands a benchmark nothing.
var current *session

// hint is what a benchmark says that runs without Main.
const hint = "suite: no set-up; add to the package: func TestMain(m *testing.M) { suite.Main(m, suite.Config{Frameworks: …}) }"

// newSession reads the flags of the process and finds out, before anything has
// run, what they ask for and cannot have.
func newSession(t rig.Table, benchmarks []string) (*session, error) {
	s := &session{flags: rig.NewFlags(t, bench.All), progress: new(progress.Progress)}
	s.flags.Register(flag.CommandLine)
	flag.BoolVar(&s.table, "variants", false, "only print a table of the variants and how they are set up; go test shows it with -v")
	flag.BoolVar(&s.storms, "storms", false, "have TestStorms make every fault and 10,000 connections with garbage, for minutes; 300 to servers that allocate what those announce")
	flag.BoolVar(&s.cases, "cases", false, "only print the names of the cases that -bench selects")
	if err := commandline.Parse(flag.CommandLine, os.Args[1:], plan.NoFlag); err != nil {
		return s, err
	}
	if len(flag.Args()) > 0 {
		return nil, fmt.Errorf("arguments left over after the flags: %q; write our flags with = and after the package, as in go test -bench Echo . -conc=100", flag.Args())
	}
	s.readTesting(benchmarks)
	if err := s.checkServing(); err != nil {
		return nil, err
	}
	if s.table || s.flags.Settings.Machines.Serve || s.flags.Settings.Machines.NewSecret != "" {
		s.flags.Options.Pattern = plan.NoCase // so that nothing is refused that only a run would refuse
	}
	if s.cases && !s.benchmarking {
		return nil, errors.New("-cases lists what -test.bench selects: give both")
	}
	return s, s.setUp()
}

// readTesting reads the flags of package testing.
func (s *session) readTesting(benchmarks []string) {
	o := s.flags.Options
	o.Pattern, o.Skip, o.Binary = cmp.Or(testFlag("bench"), plan.NoCase), testFlag("skip"), benchmarks
	s.benchmarking = o.Pattern != plan.NoCase
	s.flags.Settings.Listing = s.cases
	s.flags.Settings.Load.Calls = callsOf(testFlag("benchtime"))
	s.flags.Settings.Rounds = loadbench.Rounds()
}

// callsOf returns the calls of a -benchtime such as 1000x; 0 of a time.
func callsOf(benchtime string) int64 {
	text, _ := strings.CutSuffix(benchtime, "x")
	n, _ := strconv.ParseInt(text, 10, 64) // a time has a unit
	return n
}

func testFlag(name string) string { return flag.Lookup("test." + name).Value.String() }

// pace is what the flags of package testing ask of each case.
func (s *session) pace() estimate.Pace {
	return estimate.ReadPace(testFlag("benchtime"), testFlag("count"), testFlag("cpu"))
}

// help is what -h prints.
func (s *session) help() string {
	return `Usage: go test -run '^$' -bench PATTERN . [flag=value...]

PATTERN selects cases by their keys, one after each slash:
'Echo/framework=grpc/transport=/codec=protobuf'. What ends in $ ends there:
'Echo/…/conc=100$' leaves out the variants whose names go on, as by profile=tuned.
A list is separated by commas, as in -conc=1,10,100.
` + commandline.Help(flag.CommandLine, s.flags.Subjects()...) + `
For -bench, -benchtime, -count, -cpuprofile and so on see go help testflag. A compiled
test binary takes them with test. before the name, as in -test.bench=Echo.
`
}

// setUp plans the cases, and prepares what they need.
func (s *session) setUp() (err error) {
	if err = s.flags.Check(); err != nil {
		return err
	}
	if s.rig, err = rig.New(s.flags); err != nil {
		return err
	}
	if s.flags.Settings.Ranks.Stays() {
		return nil
	}
	if s.plan, err = s.flags.Plan(); err != nil || s.table || s.flags.Settings.Machines.Serve || s.flags.Settings.Machines.NewSecret != "" {
		return err
	}
	if s.benchmarking {
		if err = estimate.Check(s.plan.Selected(), s.pace()); err != nil {
			return err
		}
	}
	if err = s.rig.OpenNetworks(s.plan, testFlag("cpu")); err != nil {
		return err
	}
	if s.benchmarking {
		if err = s.plan.Empty(); err != nil || s.cases {
			return err
		}
	}
	if err = s.rig.Connect(); err != nil || !s.benchmarking {
		return err
	}
	if err = s.rig.Meet(common()); err != nil || s.rig.Ranks.Follows() {
		return err
	}
	return s.rig.Prepare(s.plan, testFlag("cpu"))
}

// common are the flags of package testing that all ranks of a run have to have alike.
func common() map[string]string {
	flags := map[string]string{}
	for _, name := range []string{"bench", "benchtime", "count", "skip", "cpu"} {
		flags["test."+name] = testFlag(name)
	}
	return flags
}
