package suite

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Config is what Main is given.
type Config struct {
	// Frameworks is the table of variants, in the order of the output.
	Frameworks []framework.Variant
	// Workloads are what Workloads measures, in the order of the output. Main
	// registers their flags.
	Workloads []framework.Workload
	// GoMod is the go.mod, embedded, of the module that holds TestMain. The
	// versions of the variants' modules are printed from it; nil for none.
	GoMod []byte
	// Proxy starts a proxy to a server that holds back what it passes on, each
	// way, for net=proxy-1ms. It is called in the client's process, whose CPU
	// time it then uses. nil: rows of that condition are skipped.
	Proxy func(server string, delay time.Duration) (framework.Server, error)
}

// Main is the whole of a TestMain:
//
//	func TestMain(m *testing.M) { suite.Main(m, suite.Config{Frameworks: frameworks, GoMod: goMod}) }
//
// It plays the server's part when the process was started for that; else it
// reads the flags, runs tests and benchmarks, and exits: with 2 for bad input,
// before anything has run, and with 1 if a call of a benchmark failed.
func Main(m *testing.M, c Config) {
	if host.Serving() != "" {
		os.Exit(serve(c))
	}
	env.register(flag.CommandLine)
	env.works.register(flag.CommandLine, c.Workloads)
	flag.Parse()
	if err := env.setUp(c, binaryBenchmarks(m)); err != nil {
		fmt.Fprintf(os.Stderr, "rpcbench: %v\n", err)
		os.Exit(2)
	}
	if env.serve {
		if err := env.serveRemote(); err != nil {
			fmt.Fprintf(os.Stderr, "rpcbench: %v\n", err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	if env.table {
		printVariants(os.Stdout, env.variants)
		os.Exit(0)
	}
	if env.cases {
		fmt.Println(strings.Join(env.names(), "\n"))
		os.Exit(0)
	}
	if env.benchmarking {
		env.printHeader(os.Stdout)
	}
	code := m.Run()
	for _, l := range env.links {
		l.Close()
	}
	os.Exit(max(code, env.verdict(os.Stderr)))
}

// serve is the whole life of a server process.
func serve(c Config) (exitCode int) {
	versions, err := versionsOf(c.GoMod, c.Frameworks)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return host.Serve(func(id, arg string) (host.Server, error) {
		if id == agentID {
			return newAgent(c)
		}
		for _, v := range c.Frameworks {
			if v.ID() == id {
				return c.serve(v, arg)
			}
		}
		return nil, fmt.Errorf("no variant %q", id)
	}, versions)
}

// environment is what the benchmarks and the conformance test find set up by
// Main. There is one to a process, since testing hands a benchmark nothing.
type environment struct {
	flags
	ready        bool
	benchmarking bool
	once         bool        // -test.benchtime=1x: only to see that it runs
	selected     []benchCase // by -test.bench
	iperf        []oneWay    // that it selects too
	needed       []string    // the workloads of these
	versions     map[string]string
	skipped      []string              // what there is no row of, and why
	links        map[string]*link.Link // by the network's name
	proxy        func(string, time.Duration) (framework.Server, error)
	machine      *remote.Machine // that runs the servers; nil: this one
	results      results

	shares shares // of Bulk

	mu     sync.Mutex
	failed map[string]string // case → what its calls failed with
	warned map[string]string // case → why not to trust it
	hungry map[string]string // case → how much memory its client took
}

var env environment

// hint is what a benchmark says that runs without Main.
const hint = "suite: no set-up; add to the package: func TestMain(m *testing.M) { suite.Main(m, suite.Config{Frameworks: …}) }"

func (e *environment) setUp(c Config, benchmarks []string) (err error) {
	if err = e.parse(c.Frameworks, flag.Args()); err != nil {
		return err
	}
	if e.versions, err = versionsOf(c.GoMod, c.Frameworks); err != nil {
		return err
	}
	e.failed, e.warned, e.hungry = map[string]string{}, map[string]string{}, map[string]string{}
	pattern := flag.Lookup("test.bench").Value.String()
	e.benchmarking = pattern != "" && pattern != "^$" // which is how to ask for none
	e.once = flag.Lookup("test.benchtime").Value.String() == "1x"
	e.ready = true
	if !e.benchmarking && e.cases {
		return errors.New("-cases lists what -test.bench selects: give both")
	}
	if e.table || e.serve {
		return nil
	}
	if e.benchmarking {
		e.reach(c)
		if err = e.selectCases(pattern, benchmarks); err != nil || e.cases {
			return err
		}
	}
	if err = e.dialMachine(); err != nil || !e.benchmarking {
		return err
	}
	if err = e.profiles.check(e.names()); err != nil {
		return err
	}
	if err = e.pinSelf(); err != nil {
		return err
	}
	if err = e.tryGiven(); err != nil {
		return err
	}
	if err = e.results.open(e.resultDir); err != nil {
		return err
	}
	if e.machine != nil { // where their work is done
		return nil
	}
	return e.works.try(e.needed)
}

// names are those of the cases that will run.
func (e *environment) names() (list []string) {
	for _, c := range e.selected {
		list = append(list, c.name())
	}
	for _, c := range e.iperf {
		list = append(list, c.name())
	}
	return list
}

// selectCases lists the cases that will run, and finds those that cannot.
func (e *environment) selectCases(pattern string, benchmarks []string) error {
	m, err := compileMatcher(pattern)
	if err != nil {
		return err
	}
	for _, s := range suites {
		if benchmarks != nil && !slices.Contains(benchmarks, s.benchmark()) {
			continue
		}
		if err := e.selectOf(s, m); err != nil {
			return err
		}
	}
	if benchmarks == nil || slices.Contains(benchmarks, bulk.benchmark()) {
		e.iperf = slices.DeleteFunc(e.oneWays(), func(c oneWay) bool { return !m.matches(c.name()) })
	}
	switch absent := e.absent(); {
	case len(e.selected)+len(e.iperf) > 0 || matchesOther(m, benchmarks):
		return nil
	case len(absent) > 0:
		return fmt.Errorf("-bench=%s: nothing is left to measure: %s", pattern, strings.Join(absent, "; "))
	case len(e.variants) > 0 && e.variants[0].StandIn && e.variants[0].given == "":
		return fmt.Errorf("%s is measured with -server alone: its servers are yours", e.variants[0].ID())
	default:
		return fmt.Errorf("-bench=%s matches no case; each / element matches one key, as in %s", pattern, e.example())
	}
}

func (e *environment) selectOf(s *suite, m matcher) error {
	for _, n := range e.networks {
		if err := s.takes(n); err != nil && m.matchesTop(s.benchmark()) {
			e.skip(fmt.Sprintf("%s: net=%s: %v", s.benchmark(), n.name, err))
		}
	}
	there := map[string]bool{}
	for _, c := range slices.Concat(s.groups(&e.flags)...) {
		there[c.name()] = true
		if !m.matches(c.name()) {
			continue
		}
		if c.v.given != "" && s.needs != "" {
			e.lacks[c.kind()] = s.needs
			continue
		}
		if err := e.canRun(c); err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		e.selected = append(e.selected, c)
		if c.workload != "" && !slices.Contains(e.needed, c.workload) {
			e.needed = append(e.needed, c.workload)
		}
	}
	for _, c := range s.cases(&e.flags) {
		if c.unfit != nil && !there[c.name()] && m.matches(c.name()) {
			e.skip(fmt.Sprintf("%s: %v", s.benchmark(), c.unfit))
		}
	}
	return nil
}

// canRun says why a case cannot run.
func (e *environment) canRun(c benchCase) error {
	if err := c.v.Fits(cmp.Or(c.largest, c.size)); err != nil {
		return err
	}
	if c.slo != nil {
		if err := e.canSearch(); err != nil {
			return err
		}
	}
	if c.workers < e.clients {
		return fmt.Errorf("%d callers cannot be divided among -clients=%d", c.workers, e.clients)
	}
	files, limit := c.opens()*c.serverCount()+otherFiles, host.FileLimit()
	if limit > 0 && files > limit {
		return fmt.Errorf("it opens %d connections, which with others takes %d files, and a process may open %d: raise the limit (ulimit -n) or lower -conc", c.opens(), files, limit)
	}
	return nil
}

// otherFiles is room for what a process opens besides connections.
const otherFiles = 100

func (e *environment) example() string {
	if len(e.variants) == 0 {
		return "'Echo/framework=grpc'"
	}
	return fmt.Sprintf("'Echo/%s'", e.variants[0].ID())
}

// matchesOther reports whether a benchmark that is not a suite's may be
// selected; what is below it is not known.
func matchesOther(m matcher, benchmarks []string) bool {
	return slices.ContainsFunc(benchmarks, func(name string) bool {
		ours := slices.ContainsFunc(suites, func(s *suite) bool { return s.benchmark() == name })
		return !ours && m.matchesTop(name)
	})
}

// binaryBenchmarks returns the names of all benchmarks in this test binary;
// nil if package testing does not keep them where it did.
func binaryBenchmarks(m *testing.M) (names []string) {
	list := reflect.ValueOf(m).Elem().FieldByName("benchmarks")
	if !list.IsValid() || list.Kind() != reflect.Slice {
		return nil
	}
	for i := range list.Len() {
		names = append(names, list.Index(i).FieldByName("Name").String())
	}
	return names
}

// pinSelf moves the client to its CPUs.
func (e *environment) pinSelf() error {
	if !e.pinning.Pinned() {
		return nil
	}
	if cpu := flag.Lookup("test.cpu").Value.String(); cpu != "" {
		return fmt.Errorf("-cpu=%s: the client is pinned and has as many procs as CPUs; add -pin=off to use -cpu", cpu)
	}
	return host.PinSelf(e.pinning.Client)
}

// printHeader prints the units and what stays the same for all lines.
func (e *environment) printHeader(w io.Writer) {
	io.WriteString(w, loadbench.Units)
	printConfig(w, e.config())
	for _, why := range e.absent() {
		fmt.Fprintf(w, "# skipped: %s\n", why)
	}
}

// config is what stays the same for all lines.
func (e *environment) config() map[string]string {
	config := maps.Clone(e.versions)
	maps.Copy(config, e.works.setups)
	config["go"], config["goexperiment"] = goVersion(runtime.Version())
	config["pin"] = e.pinning.String()
	config["rate-workers"], config["rate-arrivals"] = strconv.Itoa(e.workers), e.process
	config["client-procs"] = strconv.Itoa(e.clientProcs())
	config["clients"] = strconv.Itoa(e.clients)
	if len(e.given) == 0 {
		config["server-procs"] = strconv.Itoa(e.serverProcs())
	}
	if e.machine != nil {
		config["server-machine"] = e.machine.About().System
		if differ := e.differences(); differ != "" {
			config["versions-differ"] = differ
		}
	}
	return config
}

// cpus are those of both sides.
func (e *environment) cpus() host.CPUSet {
	if e.pinning.Pinned() {
		return slices.Concat(e.pinning.Server, e.pinning.Client)
	}
	return e.available
}

// clientProcs is how many CPUs the load uses at most.
func (e *environment) clientProcs() int { return runtime.GOMAXPROCS(0) }

// serverProcs is the GOMAXPROCS of the servers.
func (e *environment) serverProcs() int {
	if e.machine != nil {
		return e.machine.About().Procs
	}
	if n := len(e.pinning.Server); n > 0 {
		return n
	}
	return len(e.available)
}

// note keeps what a case's last round had to say, until verdict.
func (e *environment) note(notes map[string]string, name, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if text == "" {
		delete(notes, name)
		return
	}
	notes[name] = text
}

// verdict prints what was wrong with cases, after all lines so as to split
// none, and returns the exit code. benchstat passes over lines with #.
func (e *environment) verdict(w io.Writer) (exitCode int) {
	if e.strict && len(e.warned) > 0 {
		exitCode = 1
	}
	e.shares.print(w)
	for _, name := range slices.Sorted(maps.Keys(e.hungry)) {
		fmt.Fprintf(w, "# memory: %s: %s\n", name, e.hungry[name])
	}
	for _, name := range slices.Sorted(maps.Keys(e.warned)) {
		fmt.Fprintf(w, "# warning: %s: %s\n", name, e.warned[name])
	}
	for _, name := range slices.Sorted(maps.Keys(e.failed)) {
		fmt.Fprintf(w, "# failed calls: %s: %s\n", name, e.failed[name])
		exitCode = 1
	}
	if err := e.results.close(); err != nil {
		fmt.Fprintf(w, "# %v\n", err)
		exitCode = 1
	}
	return exitCode
}
