package plan

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tide"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Options decide which cases there are: the flags shared by all benchmarks, the
// pattern of -bench, and the limits of this process.
type Options struct {
	selection
	load
	Networks List[Network]
	Cores    List[Cores] // of servers; empty for those of -pin
	// Certificates are for layers of TLS; nil for none.
	Certificates *layer.Certificates
	Files        int  // that a process may have open; 0: not known
	Steady       bool // TCP does not slow down when packets are lost

	// Lookup finds a flag of the suite, so that what is said of a value names the
	// flag that lists such values; nil: none is named.
	Lookup func(name string) *flag.Flag
}

// load is how calls are made.
type load struct {
	Sizes    List[Size] // of the echo payload
	Concs    List[int]  // callers of a closed loop
	Workers  int        // most calls in flight of an open loop
	Arrivals string     // of the calls of an open loop: a value of -arrivals
	Trace    *tide.Tide // of the file that Arrivals names; nil for none
	Waiting  string     // how the load generator waits until a call is due: a value of -wait
	FakeTime bool       // in tests: the load generator waits with the runtime's timers
	conns    int        // of a transport that shares them
	Clients  int        // processes that make the calls together
	Ranks    int        // client processes if each is started by itself; 0 or 1 if this process starts them

	Compressible bool          // payloads are
	CallTimeout  time.Duration // of each call; 0 for none
}

// The values of -arrivals.
const (
	arrivalsPoisson  = "poisson"
	arrivalsConstant = "constant"
)

// The values of -wait.
const (
	waitAwake = "awake"
	waitQuiet = "quiet"
)

// NewOptions are the defaults.
func NewOptions() *Options {
	return &Options{selection: newSelection(), load: newLoad(), Networks: NewList("none", readNetwork), Cores: NewList("", readCores)}
}

func newLoad() load {
	return load{
		Workers: 1000, Arrivals: arrivalsPoisson, Waiting: waitAwake, conns: 10, Clients: 1,
		Sizes: NewList("64B,1KiB,16KiB", ReadSize),
		Concs: NewList("100", value.Positive),
	}
}

// Register registers the flags.
func (o *Options) Register(fs *flag.FlagSet) {
	o.selection.register(fs)
	o.load.register(fs)
	fs.Var(&o.Networks, "net", "`networks` between client and server, each way: none; on Linux "+strings.Join(line.Words(), ", ")+
		", joined by _ in this order, or "+strings.Join(line.Modes(), ", ")+"; unix for Unix sockets; proxy-nginx, proxy-haproxy; see frameworks/network.md")
	fs.Var(&o.Cores, "cores", "`numbers` of whole cores of the server, each a case, as in 1,2,4; the client has those left beside the largest, and shares them where none are, in cases as cores=4-shared; see frameworks/MEASURE.md")
}

func (l *load) register(fs *flag.FlagSet) {
	fs.Var(&l.Sizes, "size", "`sizes` of the echo payload, as in 1KiB, as in 1KiB:16KiB of request and reply, or a distribution: "+
		"mix:64B-60_1KiB-30_64KiB-10 with shares in per cent, exponential:MEAN, lognormal:MEDIAN:FACTOR, pareto:LEAST:EXPONENT or file:PATH with a size a line; Workload sends 64B without it")
	fs.Var(&l.Concs, "conc", "`numbers` of concurrent callers")
	fs.StringVar(&l.Arrivals, "arrivals", l.Arrivals, "`arrivals` of Rate, Capacity and Load: poisson, or constant; or a file that says when each call of Rate is due, one a line, in seconds or as in 1.5s since the start")
	fs.StringVar(&l.Waiting, "wait", l.Waiting, "how Rate and Load `wait` until a call is due: awake, as a busy client does, which takes its CPU time; or quiet, which sends calls up to 0.1 ms late")
	fs.IntVar(&l.Workers, "workers", l.Workers, "most `calls` in flight of Rate, Capacity and Load")
	fs.IntVar(&l.conns, "conns", l.conns, "`connections` of a transport that shares them; a pool opens up to one a caller")
	fs.IntVar(&l.Clients, "clients", l.Clients, "`processes` that make the calls together: -conc, -conns and -rate are divided among them")
}

// EqualSizes are the sizes for a benchmark whose replies are as large as their requests.
func (l *load) EqualSizes() (list []int) {
	for _, size := range l.Sizes.Values {
		list = append(list, size.Request)
	}
	return list
}

// OnlyOneSize returns an error for sizes that vary, where all calls have one size.
func (l *load) OnlyOneSize(why string) error {
	for _, size := range l.Sizes.Values {
		if size.Varies() {
			return fmt.Errorf("-size=%v: %s; Echo, Workload, Rate, Capacity and Load take sizes that vary", size, why)
		}
	}
	return nil
}

// OnlyEqualSizes returns an error for sizes that such a benchmark cannot have: two, or many.
func (l *load) OnlyEqualSizes() error {
	if err := l.OnlyOneSize("all calls have one size here"); err != nil {
		return err
	}
	for _, size := range l.Sizes.Values {
		if size.Differs() {
			return fmt.Errorf("-size=%v: replies are as large as their requests here; Echo, Workload, Rate, Capacity, Load and Count take two sizes", size)
		}
	}
	return nil
}

// Schedule is the schedule of an open loop.
func (l *load) Schedule(rate float64) loadgen.Schedule {
	if l.Arrivals == arrivalsConstant {
		return loadgen.Constant(rate)
	}
	return loadgen.Poisson(rate, 1)
}

// Moving is the schedule of an open loop whose rate moves.
func (l *load) Moving(t *tide.Tide) loadgen.Schedule {
	return t.Schedule(l.Arrivals != arrivalsConstant)
}

// Untraced returns an error if the arrivals come from a file, which Rate alone takes.
func (l *load) Untraced() error {
	if l.Trace == nil {
		return nil
	}
	return fmt.Errorf("-arrivals=%s: only Rate takes a file of arrival times: choose poisson or constant, or -bench=Rate", l.Arrivals)
}

// checkArrivals reads the file of -arrivals, if it is one.
func (l *load) checkArrivals() error {
	_, unknown := OneOf(arrivalsPoisson, arrivalsConstant)(l.Arrivals)
	if l.Trace = nil; unknown == nil {
		return nil
	}
	trace, err := tide.Open(l.Arrivals)
	switch {
	case tide.IsNoFile(err):
		return fmt.Errorf("-arrivals: there is no file of this name: %w", unknown)
	case err != nil:
		return fmt.Errorf("-arrivals: %w", err)
	}
	l.Trace = trace
	return nil
}

// Quiet reports whether the load generator sleeps until calls are due.
func (l *load) Quiet() bool { return l.Waiting == waitQuiet }

// Slack is how late a call may be sent: what the load generator chooses, or not at all if it
// stays awake.
func (l *load) Slack() time.Duration {
	if l.Quiet() {
		return 0
	}
	return time.Nanosecond
}

// Together is the flag by which several processes make the calls.
func (l *load) Together() string {
	if l.Ranks > 1 {
		return fmt.Sprintf("-ranks=%d", l.Ranks)
	}
	return fmt.Sprintf("-clients=%d", l.Clients)
}

func (l *load) check() error {
	if err := l.checkArrivals(); err != nil {
		return err
	}
	if _, err := OneOf(waitAwake, waitQuiet)(l.Waiting); err != nil {
		return fmt.Errorf("-wait: %w", err)
	}
	switch {
	case l.Clients <= 0:
		return fmt.Errorf("-clients=%d: must be more than 0", l.Clients)
	case l.conns <= 0 || l.Workers <= 0:
		return fmt.Errorf("-conns=%d -workers=%d: must be more than 0", l.conns, l.Workers)
	}
	return nil
}

// AnyNetwork reports whether one of the networks is of this kind.
func (o *Options) AnyNetwork(is func(Network) bool) bool {
	for _, n := range o.Networks.Values {
		if is(n) {
			return true
		}
	}
	return false
}

// CoreNumbers are the numbers of cores that are asked for.
func (o *Options) CoreNumbers() (list []int) {
	for _, c := range o.Cores.Values {
		list = append(list, c.Number)
	}
	return list
}

// ShareCores says which servers share their cores with the client. The error says that a user
// has said so.
func (o *Options) ShareCores(shares func(number int) bool) error {
	var list []string
	for _, c := range o.Cores.Values {
		if c.Shared {
			return fmt.Errorf("-cores=%v: give numbers: where cores are too few, cases have %s by themselves", c, behind)
		}
		list = append(list, Cores{c.Number, shares(c.Number)}.String())
	}
	return o.Cores.Set(strings.Join(list, ","))
}

func (o *Options) check() error {
	switch err := cmp.Or(o.load.check(), o.selection.check()); {
	case err != nil:
		return err
	case o.Given() && o.AnyNetwork(Network.Places):
		return errors.New("-net puts servers that this process starts behind a link, or on a Unix socket: leave it or -server out")
	case o.Given() && len(o.Cores.Values) > 0:
		return fmt.Errorf("-cores=%v gives cores to servers that this process starts: leave it or -server out", &o.Cores)
	}
	return nil
}
