package suite

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/machine"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/proxy/fake"
	own "github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// envVersion is the environment variable of the version of tiny, if it is not
// the usual one.
const envVersion = "TINY_VERSION"

// envServerGC is the environment variable of the percentage that servers set for their
// garbage collectors, whatever GOGC is.
const envServerGC = "TINY_SERVER_GC"

func TestMain(m *testing.M) {
	if fake.Is() {
		os.Exit(fake.Main())
	}
	if percent, err := strconv.Atoi(os.Getenv(envServerGC)); err == nil && host.Serving() != "" {
		debug.SetGCPercent(percent)
	}
	goMod := "module m\n\nrequire example.com/tiny/v2 " + cmp.Or(os.Getenv(envVersion), "v2.3.4") + "\n"
	Main(m, hanging(hostile(Config{Frameworks: tinyVariants(), References: tinyReferences(), Workloads: tinyWorkloads(), GoMod: []byte(goMod)})))
}

func BenchmarkEcho(b *testing.B)     { Echo(b) }
func BenchmarkMessage(b *testing.B)  { Message(b) }
func BenchmarkRate(b *testing.B)     { Rate(b) }
func BenchmarkCapacity(b *testing.B) { Capacity(b) }
func BenchmarkLoad(b *testing.B)     { Load(b) }
func BenchmarkBulk(b *testing.B)     { Bulk(b) }
func BenchmarkConn(b *testing.B)     { Conn(b) }
func BenchmarkCluster(b *testing.B)  { Cluster(b) }
func BenchmarkStream(b *testing.B)   { Stream(b) }
func BenchmarkIdle(b *testing.B)     { Idle(b) }
func BenchmarkDial(b *testing.B)     { Dial(b) }
func BenchmarkMix(b *testing.B)      { Mix(b) }

// envLinger is the environment variable that has BenchmarkOther not end.
const envLinger = "LINGER"

func BenchmarkOther(*testing.B) {
	if os.Getenv(envLinger) != "" {
		os.Stdout.WriteString("lingers\n")
		time.Sleep(time.Hour)
	}
}

// TestConformanceOf is run by the tests, in another process, for one variant.
func TestConformanceOf(t *testing.T) {
	if o := current.flags.Options; o.Frameworks.String() == "" && !o.Given() {
		t.Skip("only with -framework or -server")
	}
	Conformance(t)
}

// self runs this test binary with flags and returns what it printed.
func self(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return selfIn(t, nil, args...)
}

// selfIn is self with other variables in its environment. A name without = is of one that is
// left out.
func selfIn(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd, err := own.Command(ctx, args...)
	require.NoError(t, err)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env = &out, &errOut, environment(env)
	wait, err := process.Begin(cmd)
	require.NoError(t, err)
	_ = wait() // what it printed tells more
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// environment returns the variables of this process with others in their place.
func environment(others []string) []string {
	all := os.Environ()
	for _, one := range others {
		name, _, set := strings.Cut(one, "=")
		all = slices.DeleteFunc(all, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if set {
			all = append(all, one)
		}
	}
	return all
}

// unraced skips a test under the race detector. What the test starts ends before anything
// runs at once, or runs what other tests of this package run under the race detector.
func unraced(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("its processes run nothing at once that others here do not")
	}
}

// tenRounds has a line show percentiles of a thousand calls.
var tenRounds = []string{loadbench.EnvRounds + "=10"}

func measuring(pattern string, args ...string) []string {
	return append([]string{"-test.run=^$", "-test.benchtime=1000x", "-test.bench=" + pattern}, args...)
}

// resultLines are the benchmark lines of an output.
func resultLines(out string) (lines []string) {
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "Benchmark") && strings.Contains(line, " errors") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	unraced(t)
	for _, c := range []struct {
		name string
		args []string
		say  string
	}{
		{"an unknown framework", measuring("Echo", "-framework=tiny,nosuch"), `unknown framework "nosuch": there are tiny, small,`},
		{"an unknown set", measuring("Echo", "-set=best"), `-set: unknown "best": there are all, recommended, protobuf, beside`},
		{"more cores than there are", measuring("Echo", "-cores=1,2000"), "-cores=1,2000: a server cannot have 2000 cores: this process may use "},
		{"cores that no flag lists", measuring("Echo/framework=tiny/transport=/codec=/size=1KiB/conc=/cores=2"), "there is no cores=2: -cores is empty; add -cores=2"},
		{"no core", measuring("Echo", "-cores=0"), `-cores: "0" must be a whole number more than 0`},
		{"cores that are said to be shared", measuring("Echo", "-cores=1-shared"), "-cores=1-shared: give numbers: where cores are too few, cases have -shared by themselves"},
		{"cores and CPUs", measuring("Echo", "-cores=1", "-pin=0/1"), "-cores=1 -pin=0/1: -cores pins servers and client by itself: leave one out"},
		{"cores of servers that are not pinned", measuring("Echo", "-cores=1", "-pin=off"), "-cores=1 -pin=off: -cores pins servers and client by itself: leave one out"},
		{"cores of a server that runs already", measuring("Echo", "-cores=1", "-server=framework=tiny@127.0.0.1:1"), "-cores=1 gives cores to servers that this process starts: leave it or -server out"},
		{"cores of another machine", measuring("Echo", "-cores=1", "-host=127.0.0.1:1"), "-cores=1: the cores of servers on another machine are those of its -serve -pin: leave it or -host and -serve out"},
		{"cores and procs", measuring("Echo", "-cores=1", "-test.cpu=1"), "-cpu=1: with -cores client and servers have as many procs as CPUs: leave one out"},
		{"cores of what needs none", measuring("Idle|Cluster", "-cores=1"), "nothing is left to measure: BenchmarkCluster: -cores=1: its servers run on the same cores; BenchmarkIdle: -cores=1: what silent connections hold does not depend on cores"},
		{"a size that does not parse", measuring("Echo", "-size=1KB"), `-size: "1KB" is not a size`},
		{"a size below nothing", measuring("Echo", "-size=-1B"), `-size: "-1B" is not a size`},
		{"no callers", measuring("Echo", "-conc=0"), `-conc: "0" must be a whole number more than 0`},
		{"callers below nothing", measuring("Echo", "-conc=100,-5"), `-conc: "-5" must be`},
		{"no connections", measuring("Echo", "-conns=0"), "-conns=0 -workers=1000: must be more than 0"},
		{"no workers", measuring("Rate", "-workers=0"), "-conns=10 -workers=0: must be more than 0"},
		{"no rate", measuring("Rate", "-rate=0"), `-rate: "0" must be a whole number more than 0`},
		{"an objective without a time", measuring("Capacity", "-slo=p99"), `-slo: "p99" is no objective such as p99-5ms`},
		{"an objective of no percentile", measuring("Capacity", "-slo=p99-5ms,p0-5ms"), `-slo: "p0-5ms" is no objective`},
		{"an objective of all calls", measuring("Capacity", "-slo=p100-5ms"), `-slo: "p100-5ms" is no objective`},
		{"an objective that is no number", measuring("Capacity", "-slo=pNaN-5ms"), `-slo: "pNaN-5ms" is no objective`},
		{"no load", measuring("Load", "-load=0"), `-load: "0" must be a whole number more than 0`},
		{"a load below nothing", measuring("Load", "-load=50,-200"), `-load: "-200" must be a whole number more than 0`},
		{"one attempt as a retry", measuring("Echo", "-retry=1"), `-retry: "1" is neither none nor a number of attempts from 2 to 100`},
		{"attempts below nothing", measuring("Echo", "-retry=-3"), `-retry: "-3" is neither none nor a number of attempts`},
		{"a wait below nothing", measuring("Echo", "-retry=3:-1ms"), `-retry: "3:-1ms": the wait before the second attempt must be from 0 to 1s`},
		{"a stream's messages again", measuring("Stream/framework=spend", "-retry=3"), "-retry=3: BenchmarkStream/framework=spend/transport=tcp/codec=bytes/size=64B/conc=100 cannot repeat its calls: a message of a stream has its number"},
		{"one-way messages again", measuring("Stream/framework=spend/transport=/codec=/size=64B/conc=/mode=oneway", "-retry=3"), "/mode=oneway cannot repeat its calls"},
		{"messages of streams at a rate again", measuring("Rate/framework=spend/transport=/codec=/streams=/size=64B", "-retry=3"), "cannot repeat its calls: a message of a stream has its number"},
		{"calls of a mix again", measuring("Mix/framework=spend", "-retry=3"), "cannot repeat its calls: a mix makes each call once"},
		{"first calls again", measuring("Dial/framework=tiny", "-retry=3"), "cannot repeat its calls: first calls are measured"},
		{"transfers again", measuring("Bulk/framework=hold", "-retry=3"), "cannot repeat its calls: a transfer is made once"},
		{"asynchronous calls again", measuring("Conn/framework=spend/codec=/conn=/call=async", "-retry=3"), "cannot repeat its calls: the framework makes an asynchronous call by itself"},
		{"too little time for a probe", measuring("Capacity", "-probe=10ms"), "-probe=10ms: must be at least 1s"},
		{"a search in a server that breaks", measuring("Load/framework=tiny", "-fault=kill"), "a search for capacity takes neither -fault nor profiles"},
		{"no clients", measuring("Echo", "-clients=0"), "-clients=0: must be more than 0"},
		{"an empty name of a framework", measuring("Echo", "-framework=tiny,"), `-framework: unknown framework ""`},
		{"an empty name of a workload", measuring("Echo", "-workload=steady,"), `-workload: unknown workload ""`},
		{"more clients than callers", measuring("Echo/framework=tiny", "-conc=2", "-clients=3"), "2 callers cannot be divided among -clients=3"},
		{"an unknown connection model", measuring("Conn", "-conn=single,dual"), `-conn: unknown "dual": there are single, fixed, mux, pool, short`},
		{"an unknown way to call", measuring("Conn", "-call=maybe"), `-call: unknown "maybe": there are sync, async`},
		{"a connection model that no framework has", measuring("Conn", "-framework=tiny", "-conn=pool"), "no variant that is selected has both: tiny has conn=single call=sync, tiny has conn=fixed call=sync"},
		{"an unknown payload", measuring("Echo", "-payload=zeros"), `-payload: unknown "zeros": there are random, compressible`},
		{"an unknown fault", measuring("Echo", "-fault=fire"), `-fault: unknown "fire": there are kill, freeze, garbage, flip, noise`},
		{"a transfer that is no size", measuring("Echo", "-bulk=4MB"), `-bulk: "4MB" is not a size`},
		{"no transfers at once", measuring("Echo", "-transfers=0"), `-transfers: "0" must be a whole number more than 0`},
		{"messages without bytes", measuring("Echo", "-chunk=0B,1KiB"), "-chunk=0B,1KiB: must be sizes more than 0"},
		{"an unknown network", measuring("Echo", "-net=none,slow"), `-net: unknown "slow": there are none, unix, proxy-nginx, proxy-haproxy, delay-5ms, rate-100mbit, jitter-1ms, loss-0.1%, queue-256KiB, grpc-lan, grpc-wan, grpc-longhaul`},
		{"a network with two rates", measuring("Echo", "-net=rate-1gbit_rate-2gbit"), "-net: rate-1gbit_rate-2gbit: a line has one rate"},
		{"a network that loses more than all", measuring("Echo", "-net=loss-101%"), "-net: loss-101%: want a percentage above 0% and up to 100%, as in loss-0.1%"},
		{"silent connections over a line", measuring("Idle", "-net=rate-1gbit"), "nothing is left to measure: BenchmarkIdle: net=rate-1gbit: what silent connections hold does not depend on a network"},
		{"a case that would take hours", measuring("Bulk", "-framework=tiny", "-bulk=256MiB", "-transfers=1", "-net=none,rate-1mbit", "-test.benchtime=1s"), "BenchmarkBulk/framework=tiny/mode=bytes/size=256MiB/parallel=1/net=rate-1mbit: over net=rate-1mbit it takes about 6h14m0s, and a case may take 10m0s: choose smaller payloads, fewer callers or a shorter -benchtime"},
		{"a case that would take as long by its calls", measuring("Echo", "-framework=tiny", "-size=1KiB", "-conc=1", "-net=delay-50ms", "-test.benchtime=10000x"), "it takes about 17m0s, and a case may take 10m0s"},
		{"or by its time", measuring("Echo", "-framework=tiny", "-size=1KiB", "-net=delay-50ms", "-test.benchtime=8m"), "it takes about 12m0s, and a case may take 10m0s"},
		{"an objective below the round trip", measuring("Capacity", "-framework=tiny", "-size=1KiB", "-net=delay-5ms"), "over net=delay-5ms a call takes 10ms when there is no other, which meets no objective of 5ms: raise -slo"},
		{"a payload above what the queue holds", measuring("Echo", "-framework=tiny", "-size=1MiB", "-net=rate-100mbit_queue-256KiB"), "a payload of 1MiB is more than the 256KiB that the queue of net=rate-100mbit_queue-256KiB holds"},
		{"a line of another machine", measuring("Echo", "-net=delay-5ms", "-host=127.0.0.1:1"), "-net: with -host there is a network between client and server: leave one out"},
		{"a line to a server that is given", measuring("Echo", "-net=delay-5ms", "-server=framework=tiny@127.0.0.1:1"), "-net puts servers that this process starts behind a link, or on a Unix socket: leave it or -server out"},
		{"a Unix socket to a server that is given", measuring("Echo", "-net=unix", "-server=framework=tiny@127.0.0.1:1"), "-net puts servers that this process starts behind a link, or on a Unix socket: leave it or -server out"},
		{"flips in payloads that are not found by their bytes", measuring("Echo", "-fault=flip", "-payload=compressible"), "compressible ones look alike everywhere: leave one out"},
		{"a fault of several clients", measuring("Echo", "-fault=kill", "-clients=2"), "a fault needs the calls of one client"},
		{"a server that is down for no time", measuring("Dial", "-down=none,0s"), `-down: "0s" must be none, or a time from 1ms to 1m0s, as in 500ms`},
		{"a server that is down for too long", measuring("Dial", "-down=1h"), `-down: "1h" must be none`},
		{"first calls of several clients", measuring("Dial/framework=tiny", "-clients=2"), "-clients=2: first calls are those of one caller"},
		{"first calls of a server that breaks", measuring("Dial/framework=tiny", "-fault=kill"), "first calls take neither -fault nor profiles: use Conn"},
		{"a mix of one size", measuring("Mix", "-mix=1KiB-99"), `-mix: "1KiB-99" must be size and weight of small calls, and of large ones, as in 1KiB-99_1MiB-1`},
		{"a mix of no weight", measuring("Mix", "-mix=1KiB-99_1MiB-0"), "-mix: the weight of 1MiB must be more than 0"},
		{"a mix of a size that is none", measuring("Mix", "-mix=1KB-99_1MiB-1"), `-mix: "1KB" is not a size`},
		{"a mix with the large ones first", measuring("Mix", "-mix=1MiB-1_1KiB-99"), "the small calls come first, and the large ones must be larger"},
		{"a mix too large for the framework", measuring("Mix/framework=small", "-mix=1KiB-99_2KiB-1"), "nothing is left to measure: BenchmarkMix: mix=1KiB-99_2KiB-1: a payload of 2048 bytes is over the largest of framework=small"},
		{"no servers", measuring("Cluster", "-servers=0"), `-servers: "0" must be a whole number more than 0`},
		{"more connections than files", measuring("Echo/framework=tiny", "-conns=2000000"), "it opens 2000000 connections, which with others takes 2000100 files, and a process may open"},
		{"a profile of many cases", measuring("Echo", "-framework=tiny", "-size=1B,2B", "-server-cpuprofile=x"), "a profile is of one case, and -bench selects 2"},
		{"an unknown way to wait", measuring("Rate", "-wait=long"), `-wait: unknown "long": there are awake, quiet`},
		{"unknown arrivals", measuring("Rate", "-arrivals=never"), `-arrivals: there is no file of this name: unknown "never": there are poisson, constant`},
		{"a file of arrivals that has none", measuring("Rate", "-arrivals=suite_test.go"), `-arrivals: suite_test.go:1: "package suite" is neither seconds nor a time such as 1.5s`},
		{"a ramp of no length", measuring("Rate", "-rate=1000..2000/0s"), `-rate: "1000..2000@0s": a time must be more than 0, and a multiple of 10ms`},
		{"steps again", measuring("Rate", "-rate=1000,2000@1s", "-retry=3"), "/phase=all cannot repeat its calls: a call of a phase is made once"},
		{"a timeout below nothing", measuring("Echo", "-call-timeout=-1s"), "-call-timeout=-1s -watchdog=10s: must not be negative"},
		{"a pool of fewer workers than none", measuring("Echo", "-pool-workers=-1"), "-pool-workers=-1: must be from 0 to 1000000"},
		{"a pool of more workers than memory", measuring("Echo", "-pool-workers=1000001"), "-pool-workers=1000001: must be from 0 to 1000000"},
		{"a pool for variants that have none", measuring("Echo", "-framework=tiny", "-pool-workers=8"), "-pool-workers=8: no server that the selected cases start has pool=workers"},
		{"a pool of servers on another machine", measuring("Echo", "-framework=crew", "-pool-workers=8", "-host=127.0.0.1:1"), "-pool-workers=8: with -host it is an option of -serve"},
		{"arguments left over", measuring("Echo", "./x", "-size=1KiB"), `arguments left over after the flags: ["./x" "-size=1KiB"]`},
		{"CPUs that are not there", measuring("Echo", "-pin=0/4096"), "4096"},
		{"a pinning that does not parse", measuring("Echo", "-pin=most"), "most"},
		{"procs of its own for a pinned client", measuring("Echo", "-test.cpu=1,2", "-size=1B"), "-cpu=1,2: the client is pinned"},
		{"the cases of nothing", []string{"-cases"}, "-cases lists what -test.bench selects"},
		{"a framework whose servers are the users'", measuring("Echo", "-framework=yours"), "framework=yours/transport=tcp/codec=gob is measured with -server alone: its servers are yours"},
		{"nothing matches", measuring("Echo/framework=nosuch"), "-bench=Echo/framework=nosuch matches no case: there is no framework=nosuch: there are framework=tiny, "},
		{"nothing matches at all", measuring("NoSuch"), "-bench=NoSuch matches no case: there is no benchmark NoSuch: there are Echo, "},
		{"a reply that is no size", measuring("Echo", "-size=1KiB:1KB"), `-size: "1KB" is not a size`},
		{"a reply over a limit", measuring("Echo/framework=small", "-size=64B:2KiB"), "is over the largest of framework=small/transport=tcp/codec=gob, 1024 bytes"},
		{"a request over a limit", measuring("Workload/framework=small", "-size=2KiB:64B"), "is over the largest of framework=small/transport=tcp/codec=gob, 1024 bytes"},
		{"replies of another size on other connections", measuring("Conn/framework=tiny", "-size=64B:1KiB"), "-size=64B:1KiB: replies are as large as their requests here; Echo, Workload, Rate, Capacity, Load and Count take two sizes"},
		{"and of several servers", measuring("Cluster/framework=tiny", "-size=64B:1KiB"), "replies are as large as their requests here"},
		{"replies of another size that can be compressed", measuring("Echo", "-size=64B:1KiB", "-payload=compressible"), "-size=64B:1KiB -payload=compressible: replies of another size are random bytes: leave one out"},
		{"and with flips", measuring("Echo", "-size=64B:1KiB", "-fault=flip"), "-size=64B:1KiB -fault=flip: flips are counted by payload"},
		{"shares that do not sum up", measuring("Echo", "-size=mix:64B-60_1KiB-30"), "-size: mix:64B-60_1KiB-30: the shares sum up to 90 per cent, and must sum up to 100"},
		{"a distribution that there is not", measuring("Echo", "-size=normal:1KiB:4"), "-size: normal:1KiB:4: it is no distribution: mix:, exponential:, lognormal:, pareto: and file: are"},
		{"a size in it that is too large", measuring("Echo", "-size=mix:2GiB-100"), `-size: mix:2GiB-100: "2GiB" is not a size: use a whole number and B, KiB, MiB or GiB, up to 1GiB`},
		{"one whose tail is too long", measuring("Echo", "-size=pareto:1MiB:1.1"), "-size: pareto:1MiB:1.1: its values must be from 0B to 1GiB"},
		{"sizes in a file that is not there", measuring("Echo", "-size=file:gone.txt"), "-size: file:gone.txt: open gone.txt: no such file or directory"},
		{"a distribution over a limit", measuring("Echo/framework=small", "-size=mix:64B-50_2KiB-50"), "nothing is left to measure: BenchmarkEcho: size=mix:64B-50_2KiB-50: a payload of 2048 bytes is over the largest of framework=small"},
		{"one of calls on other connections", measuring("Conn/framework=tiny", "-size=exponential:1KiB"), "-size=exponential:1KiB: all calls have one size here; Echo, Workload, Rate, Capacity and Load take sizes that vary"},
		{"one of few calls", measuring("Count/framework=tiny", "-size=exponential:1KiB"), "-size=exponential:1KiB: counts are of 50 calls, too few for a distribution; Echo, "},
		{"one with flips", measuring("Echo", "-size=exponential:1KiB", "-fault=flip"), "-size=exponential:1KiB -fault=flip: flips are counted by payloads of one size: leave one out"},
		{"one whose calls are repeated", measuring("Echo/framework=tiny", "-size=exponential:1KiB", "-retry=3"), "cannot repeat its calls: the next call of the sequence has another size"},
		{"a payload over a limit", measuring("Echo/framework=small", "-size=2KiB"), "nothing is left to measure: BenchmarkEcho: size=2KiB: a payload of 2048 bytes is over the largest of framework=small/transport=tcp/codec=gob, 1024 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(c.say, "-cpu") && len(current.rig.Placement.Available) < 2 {
				t.Skip("nothing is pinned on one CPU")
			}
			out, errOut, code := self(t, c.args...)
			assert.Contains(t, errOut, c.say)
			assert.Equal(t, 2, code)
			assert.Equal(t, 1, strings.Count(errOut, "\n"), "one sentence: %s", errOut)
			assert.Empty(t, out, "nothing half-run")
		})
	}
}

func TestEveryCaseHasALine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		args  []string
		cases int
	}{
		{"two sizes and a message", measuring("Echo|Message", "-framework=tiny,small", "-size=0B,1KiB", "-conc=3,20"), 2*4 + 2*2},
		{"the recommended ones", measuring("Echo", "-set=recommended", "-size=1KiB"), 2},
		{"a pattern that names a key in the middle", measuring("Echo/framework=(tiny|small)/transport=tcp/codec=gob/size=1B", "-size=1B,2B"), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, c.args...)
			require.Zero(t, code, errOut)
			names, _, _ := self(t, append(c.args, "-cases")...)
			lines := resultLines(out)
			assert.Len(t, lines, c.cases)
			assert.Len(t, strings.Fields(names), c.cases)
			for i, name := range strings.Fields(names) {
				assert.True(t, strings.HasPrefix(lines[i], name), "%s: %s", name, lines[i])
			}
		})
	}
}

func TestLinesHaveTheirMetrics(t *testing.T) {
	unraced(t)
	t.Parallel()
	out, errOut, code := selfIn(t, tenRounds, measuring("Echo", "-framework=tiny", "-size=1KiB", "-conns=7", "-detail")...)
	require.Zero(t, code, errOut)
	assertUnits(t, out, "ns/op", "calls/s", "p50-ns", "p99-ns", "min-ns", "mean-ns", "max-ns", "errors", "client-cpu-ns/op",
		"server-cpu-ns/op", "server-B/op", "server-allocs/op", "B/op", "allocs/op")
	assert.Regexp(t, `\s7\.000 conns`, resultLines(out)[0])
	for _, line := range []string{"Unit calls/s better=higher\n", "\ntiny: v2.3.4\n", "\nserver-procs: ", "\nclient-procs: ", "\npin: ", " deaf=tiny ", "\ngo: go1.", "\ngoexperiment: "} {
		assert.Contains(t, out, line)
	}
	for key, value := range machine.Here() {
		assert.Contains(t, out, "\n"+key+": "+value+"\n")
	}
}

func TestLinesOfAnOpenLoop(t *testing.T) {
	t.Parallel()
	out, errOut, code := selfIn(t, tenRounds, measuring("Rate", "-framework=tiny", "-size=1KiB", "-rate=2000", "-workers=20", "-detail")...)
	require.Zero(t, code, errOut)
	assertUnits(t, out, "calls/s", "p50-ns", "p99-ns", "lag-p99-ns", "service-p99-ns", "dropped", "errors", "client-cpu-ns/op")
	assert.Contains(t, out, "BenchmarkRate/framework=tiny/transport=tcp/codec=gob/size=1KiB/rate=2000")
	assert.NotContains(t, out, " ns/op", "the rate was given")
	assert.Contains(t, out, "\nrate-workers: 20\n")
	assert.NotContains(t, out, "rate-wait")
}

// A client that sleeps until calls are due says so, since its CPU time is less.
func TestAClientThatSleeps(t *testing.T) {
	unraced(t)
	t.Parallel()
	for _, clients := range []string{"1", "2"} {
		out, errOut, code := self(t, measuring("Rate", "-framework=tiny", "-size=1KiB", "-rate=2000", "-workers=20", "-wait=quiet", "-clients="+clients)...)
		require.Zero(t, code, errOut)
		assert.Contains(t, out, "\nrate-wait: quiet\n")
		assert.Contains(t, out, " 0 errors")
	}
}

// A line alone, or of few rounds, has no percentile that rests on fewer than a hundred
// slower calls.
func TestAPercentileOfFewCallsIsLeftOut(t *testing.T) {
	t.Parallel()
	unraced(t)
	args := measuring("Rate", "-framework=tiny", "-size=1KiB", "-rate=5000", "-workers=20", "-detail")
	for _, c := range []struct {
		about, rounds string
		more          []string
		has           string
	}{
		{"one round of 1,000 calls has 10 that are slower than its p99", "", nil, "p50-ns"},
		{"nine have 90", "9", nil, "p50-ns"},
		{"ten have 100", "10", nil, "p50-ns p99-ns service-p99-ns lag-p99-ns"},
		{"so have five of two lines each", "5", []string{"-test.count=2"}, "p50-ns p99-ns service-p99-ns lag-p99-ns"},
		{"and so has one of 10,000 calls", "", []string{"-test.benchtime=10000x", "-rate=20000"}, "p50-ns p99-ns service-p99-ns lag-p99-ns"},
	} {
		out, errOut, code := selfIn(t, []string{loadbench.EnvRounds + "=" + c.rounds}, append(args, c.more...)...)
		require.Zero(t, code, errOut)
		for _, line := range resultLines(out) {
			for _, unit := range []string{"p50-ns", "p99-ns", "service-p99-ns", "lag-p99-ns", "p99.9-ns"} {
				assert.Equal(t, slices.Contains(strings.Fields(c.has), unit), slices.Contains(strings.Fields(line), unit), "%s: %s: %s", c.about, unit, line)
			}
		}
		assert.Equal(t, !strings.Contains(c.has, "p99"), strings.Contains(errOut, "# no p99: "), "%s: %s", c.about, errOut)
	}
}

// assertUnits wants one line with all the units.
func assertUnits(t *testing.T, out string, units ...string) {
	t.Helper()
	require.Len(t, resultLines(out), 1)
	for _, unit := range units {
		assert.Regexp(t, `\s[0-9.]+ `+regexp.QuoteMeta(unit)+`(\s|$)`, resultLines(out)[0])
	}
}

func TestNothingIsPrintedWithoutBenchmarks(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, "-test.run=^$")
	assert.Zero(t, code)
	assert.Equal(t, "PASS\n", out)
	assert.Equal(t, "testing: warning: no tests to run\n", errOut)
}

func TestFailedCallsAreCountedAndFailTheRun(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Echo", "-framework=tiny,flaky", "-size=1B", "-conc=10")...)
	assert.Equal(t, 1, code)
	require.Len(t, resultLines(out), 2, "the lines are printed all the same")
	assert.Regexp(t, `\s0 errors`, resultLines(out)[0])
	assert.Regexp(t, `\s[1-9][0-9.]* errors`, resultLines(out)[1])
	assert.Contains(t, errOut, "# failed calls: BenchmarkEcho/framework=flaky")
	assert.Contains(t, errOut, "× flaky")
}

// TestStaleRepliesAreCounted: every 50th reply is that of the call before, of the same worker
// or of another.
func TestStaleRepliesAreCounted(t *testing.T) {
	t.Parallel()
	for _, conc := range []string{"1", "10"} {
		out, errOut, code := self(t, measuring("Echo", "-framework=stale", "-size=1KiB", "-conc="+conc)...)
		assert.Equal(t, 1, code)
		require.Len(t, resultLines(out), 1, "%s%s", out, errOut)
		assert.Regexp(t, `\s[1-9][0-9.]* errors`, resultLines(out)[0])
		assert.Contains(t, errOut, "× reply: not what was sent")
	}
}

func TestAServerThatDiesIsReportedWithItsLastWords(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, append(measuring("Echo", "-framework=mortal,tiny", "-size=1B", "-conc=10"), "-test.benchtime=5000x")...)
	assert.NotZero(t, code)
	assert.Contains(t, out+errOut, "the last words")
	assert.Contains(t, resultLines(out)[0], "framework=tiny", "the other variant is measured")
}

func TestTheWatchdogEndsARun(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Echo", "-framework=tiny,stuck", "-size=1B", "-conc=10", "-watchdog=2s")...)
	assert.Equal(t, 1, code, errOut)
	assert.Contains(t, resultLines(out)[0], "framework=tiny")
	assert.Contains(t, out+errOut, "no call ended for 2s")
}

// TestFaults breaks the server in the middle of a run: the line is printed with
// what succeeded before, the failures are counted by kind, and the next case
// finds a server again.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	t.Parallel()
	for fault, say := range map[string]string{
		"kill":    "the server of framework=tiny/transport=tcp/codec=gob died: signal: killed",
		"freeze":  "no call ended for 1s",
		"garbage": "×",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, append(measuring("Echo", "-framework=tiny", "-size=1B,2B", "-conc=10", "-watchdog=1s", "-fault="+fault), "-test.benchtime=5000x")...)
			assert.Equal(t, 1, code, errOut)
			require.Len(t, resultLines(out), 2)
			for _, line := range resultLines(out) {
				assert.Regexp(t, `\s[1-9][0-9.]* errors`, line)
				assert.NotContains(t, line, " 0 calls/s")
			}
			assert.Equal(t, 2, strings.Count(errOut, "# failed calls: "), errOut)
			assert.Contains(t, errOut, say)
		})
	}
}

func TestSeveralClients(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		args  []string
		units []string
	}{
		{"a closed loop", measuring("Echo", "-framework=tiny", "-size=1KiB", "-conc=10", "-clients=3", "-conns=6"), []string{"ns/op", "calls/s", "B/op", "allocs/op", "client-cpu-ns/op", "server-cpu-ns/op", "client-busy-%", "server-busy-%"}},
		{"an open loop", measuring("Rate", "-framework=tiny", "-size=1KiB", "-workers=30", "-rate=5000", "-test.benchtime=10000x", "-clients=2", "-conns=6"), []string{"calls/s", "lag-p99-ns", "dropped"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, errOut, code := self(t, c.args...)
			require.Zero(t, code, errOut)
			assertUnits(t, out, c.units...)
			assert.Regexp(t, `\s6\.000 conns`, resultLines(out)[0], "divided among the clients")
			assert.Regexp(t, `\s0 errors`, resultLines(out)[0])
			assert.Contains(t, out, "\nclients: ")
		})
	}
	out, errOut, code := self(t, measuring("Rate", "-framework=tiny", "-size=1B", "-workers=30", "-rate=500,1000@100ms", "-arrivals=constant", "-clients=2")...)
	require.Zero(t, code, errOut)
	lines := resultLines(out)
	if assert.Len(t, lines, 3, "a line of all, and one of each step") {
		assert.Regexp(t, `phase=all\s.* 750\.0 offered/s`, lines[0])
		assert.Regexp(t, `phase=1of2\s.* 500\.0 offered/s`, lines[1])
		assert.Regexp(t, `phase=2of2\s.* 1000 offered/s`, lines[2])
	}
	assert.Contains(t, errOut, "phase=2of2: settle-ns: ", "why there is none")
	out, errOut, code = self(t, measuring("Conn", "-framework=twin", "-size=1B", "-conc=10", "-conn=single", "-clients=2")...)
	require.Zero(t, code, errOut)
	assert.Len(t, resultLines(out), 2)
	out, errOut, code = self(t, measuring("Echo", "-framework=flaky", "-size=1B", "-conc=10", "-clients=2")...)
	assert.Equal(t, 1, code)
	assert.Len(t, resultLines(out), 1)
	assert.Contains(t, errOut, "× flaky", "kinds of failures are merged")
}

func TestArrivalsOfAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "some arrivals.txt")
	require.NoError(t, os.WriteFile(file, []byte("0\n0.01\n20ms\n.2\n"), 0o666))
	for _, c := range []struct {
		about string
		args  []string
		want  string // of what is said instead of lines; "" if there are lines
	}{
		{"Rate makes these calls", measuring("Rate", "-framework=tiny", "-size=1B"), ""},
		{"and no others", measuring("Rate", "-framework=tiny", "-size=1B", "-rate=10"), "-arrivals is a file, which has its own rate: leave -rate out"},
		{"a search tries rates", measuring("Capacity", "-framework=tiny", "-size=1B"), ": only Rate takes a file of arrival times: choose poisson or constant, or -bench=Rate"},
		{"so does what has a rate of its own", measuring("Idle", "-framework=tiny"), ": only Rate takes a file of arrival times"},
	} {
		out, errOut, code := self(t, append(c.args, "-arrivals="+file)...)
		lines := resultLines(out)
		if c.want != "" {
			assert.Equal(t, 2, code, c.about)
			assert.Contains(t, errOut, c.want, c.about)
			assert.Empty(t, lines, c.about)
			continue
		}
		require.Zero(t, code, errOut)
		require.Len(t, lines, 6, "a line of all, and one of each fifth")
		assert.Contains(t, out, "\nrate-arrivals: some arrivals.txt\n")
		assert.Regexp(t, `/rate=some_arrivals.txt/phase=all\s.* 20\.00 offered/s`, lines[0])
		assert.Regexp(t, `/phase=1of5\s.* 75\.00 offered/s`, lines[1])
		assert.Regexp(t, `/phase=5of5\s.* 25\.00 offered/s`, lines[5])
	}
}

func TestServerProfiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := measuring("Echo", "-framework=tiny", "-size=1KiB", "-conc=10", "-pprof")
	profiles := []string{"cpuprofile", "memprofile", "blockprofile", "mutexprofile", "trace"}
	for _, p := range profiles {
		args = append(args, "-server-"+p+"="+filepath.Join(dir, p))
	}
	out, errOut, code := self(t, args...)
	require.Zero(t, code, errOut)
	assert.NotContains(t, errOut, "# warning: profile")
	assert.Regexp(t, `(?m)^# server of framework=tiny/.*: http://127.0.0.1:\d+/\w{26,}/debug/pprof/$`, out)
	for _, p := range profiles {
		info, err := os.Stat(filepath.Join(dir, p))
		require.NoError(t, err)
		assert.Positive(t, info.Size(), p)
	}
}

func TestVariantsAreListed(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, "-variants")
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "\n| small | tcp | gob | default | single, fixed | sync |  | a client each | 1KiB |\n")
}

func TestListingAsksNothingOfACase(t *testing.T) {
	t.Parallel()
	out, errOut, code := self(t, measuring("Echo/framework=small", "-variants", "-size=1GiB")...)
	assert.Zero(t, code, errOut)
	assert.Contains(t, out, "| small |")
}

func TestConnModels(t *testing.T) {
	t.Parallel()
	args := measuring("Conn", "-framework=tiny", "-conc=10", "-conns=4", "-size=1KiB")
	out, errOut, code := self(t, args...)
	require.Zero(t, code, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 2)
	assert.Regexp(t, `^BenchmarkConn/framework=tiny/codec=gob/conn=single/call=sync/conc=10.*\s1\.000 conns`, lines[0])
	assert.Regexp(t, `^BenchmarkConn/framework=tiny/codec=gob/conn=fixed/call=sync/conc=10.*\s4\.000 conns`, lines[1])
}

func TestClusterOfAFrameworkWithoutBalancing(t *testing.T) {
	unraced(t)
	t.Parallel()
	out, errOut, code := self(t, measuring("Cluster", "-framework=tiny", "-conc=10", "-conns=4", "-servers=1,3")...)
	require.Zero(t, code, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 2)
	assert.Regexp(t, `/servers=1/conc=10.*\s4\.000 conns`, lines[0])
	assert.Regexp(t, `/servers=3/conc=10.*\s12\.00 conns`, lines[1])
}

// TestReferences are measured beside the frameworks, and not proven: the one of this
// binary would not pass.
func TestReferences(t *testing.T) {
	unraced(t)
	t.Parallel()
	const floor = "BenchmarkEcho/framework=floor/transport=tcp/codec=gob/size=1B/conc=100"
	cases := func(args ...string) string {
		out, errOut, _ := self(t, append(measuring("Echo", "-size=1B", "-cases"), args...)...)
		return errOut + out
	}
	assert.True(t, strings.HasSuffix(cases(), floor+"\n"), "they come last")
	assert.Contains(t, cases("-framework=floor"), floor)
	assert.NotContains(t, cases("-framework=tiny"), floor)
	assert.NotContains(t, cases("-references=false"), floor)
	assert.Contains(t, cases("-references=false", "-framework=floor"), `unknown framework "floor"`)

	out, errOut, code := self(t, measuring("Echo", "-framework=tiny,floor", "-size=1B")...)
	require.Zero(t, code, errOut)
	assert.Len(t, resultLines(out), 2)
	assert.Contains(t, out, "\nframeworks: 46 in one binary\n", "references are not counted")

	out, errOut, code = self(t, "-test.run=^TestConformanceOf$", "-test.v", "-framework=tiny,floor")
	assert.Zero(t, code, "%s%s", out, errOut)
	assert.Contains(t, out, "/framework=tiny")
	assert.NotContains(t, out, "framework=floor")
}

func TestWithoutMainThereIsAHint(t *testing.T) {
	was := current
	current = nil
	defer func() { current = was }()
	testing.Benchmark(func(b *testing.B) {
		if !b.Run("x", func(b *testing.B) { Echo(b) }) {
			return
		}
		t.Error("ran without Main")
	})
}
