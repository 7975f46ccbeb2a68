package plan

import (
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Options decide which cases there are: the flags shared by all benchmarks, the
// pattern of -bench, and the limits of this process.
type Options struct {
	Set        string
	Frameworks List[string]
	References bool // are measured, too
	Servers    List[server]
	Peer       string
	Networks   List[Network]
	Windows    List[int] // receive windows in bytes, beside those that variants have
	Layers     List[framework.Stack]
	// Certificates are for layers of TLS; nil for none.
	Certificates *framework.Certificates

	Sizes    List[Size] // of the echo payload
	Concs    List[int]  // callers of a closed loop
	Workers  int        // most calls in flight of an open loop
	Arrivals string     // of an open loop
	Waiting  string     // of the load generator for them
	Conns    int        // of a transport that shares them
	Clients  int        // processes that make the calls together
	Ranks    int        // as many, if each is started by itself; 0 or 1 if this process starts them

	Pattern string   // of -test.bench; NoCase unless it is set
	Skip    string   // of -test.skip; "" skips nothing
	Binary  []string // the benchmarks of this binary; nil: not known
	Files   int      // that a process may have open; 0: not known
	Steady  bool     // TCP does not slow down when packets are lost

	Compressible bool          // payloads are
	CallTimeout  time.Duration // of each call; 0 for none

	// Lookup finds a flag of the suite, so that what is said of a value names the
	// flag that lists such values; nil: none is named.
	Lookup func(name string) *flag.Flag
}

// NoCase is a pattern that selects none.
const NoCase = "^$"

// The values of -set.
const (
	setAll         = "all"
	setRecommended = "recommended"
	setProtobuf    = "protobuf"
	setBeside      = "beside"
)

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

// WaitSleep is a value of Options.Waiting for tests in fake time. No flag has it.
const WaitSleep = "sleep"

// NewOptions are the defaults.
func NewOptions() *Options {
	text := func(s string) (string, error) { return s, nil }
	o := &Options{
		Set: setAll, References: true, Workers: 1000, Arrivals: arrivalsPoisson, Waiting: waitAwake, Conns: 10, Clients: 1, Pattern: NoCase,
		Frameworks: NewList("", text),
		Servers:    List[server]{read: readServer, appends: true, optional: true},
		Networks:   NewList("none", readNetwork),
		Windows:    NewList("", ParseSize),
		Layers:     NewList("", framework.ReadStack),
		Sizes:      NewList("64B,1KiB,16KiB", ReadSize),
		Concs:      NewList("100", Positive),
	}
	return o
}

// Register registers the flags.
func (o *Options) Register(fs *flag.FlagSet) {
	fs.StringVar(&o.Set, "set", o.Set, "`variants`: all, recommended for one of each framework, protobuf for one of each that sends it, "+
		"beside for these and what reports show beside them; raw TCP is in all four")
	fs.Var(&o.Frameworks, "framework", "`frameworks` to measure; empty for all")
	fs.BoolVar(&o.References, "references", o.References, "measure references that the binary has beside its frameworks")
	fs.Var(&o.Sizes, "size", "`sizes` of the echo payload, as in 1KiB, or as in 1KiB:16KiB of request and reply; Workload sends 64B without it")
	fs.Var(&o.Concs, "conc", "`numbers` of concurrent callers")
	fs.StringVar(&o.Arrivals, "arrivals", o.Arrivals, "`arrivals` of Rate, Capacity and Load: poisson, or constant")
	fs.StringVar(&o.Waiting, "wait", o.Waiting, "how Rate and Load `wait` until a call is due: awake, as a busy client does, which takes its CPU time; or quiet, later by 20-60 µs")
	fs.IntVar(&o.Workers, "workers", o.Workers, "most `calls` in flight of Rate, Capacity and Load")
	fs.IntVar(&o.Conns, "conns", o.Conns, "`connections` of a transport that shares them; a pool opens up to one a caller")
	fs.IntVar(&o.Clients, "clients", o.Clients, "`processes` that make the calls together: -conc, -conns and -rate are divided among them")
	fs.Var(&o.Networks, "net", "`networks` between client and server, each way: none; on Linux "+strings.Join(line.Words(), ", ")+
		", joined by _ in this order, or "+strings.Join(line.Modes(), ", ")+"; proxy-1ms; unix for Unix sockets; proxy-nginx, proxy-haproxy; see frameworks/network.md")
	fs.Var(&o.Windows, "window", "`sizes` of the receive windows that Stream and Bulk measure beside the default ones, as in 64KiB,4MiB; "+
		"of a stream, or of a TCP connection; frameworks/README.md says who has them")
	fs.Var(&o.Layers, "with", "`layers` around each variant that has them, beside the variant without: "+strings.Join(framework.LayerNames(framework.AllLayers()...), ", ")+
		"; joined by _, as in tls13,tls13_gzip; see frameworks/layers.md")
	fs.Var(&o.Servers, "server", "measure a `server` that is running already: VARIANT@HOST:PORT, by as many of the variant's keys "+
		"as tell it from others; may be repeated; see frameworks/PROTOCOL.md")
	fs.StringVar(&o.Peer, "peer", "", "`name` of the servers of -server, the last key of their lines, as in peer=dubbo-java")
}

// Names reports whether the pattern of -bench has an alternative that selects cases of a
// benchmark, and names a key in it.
func (o *Options) Names(benchmark, key string) bool {
	if !strings.Contains(o.Pattern, key) { // mostly, and it is asked for every variant
		return false
	}
	word := regexp.MustCompile(`\b` + key + `\b`) // msgpack does not name msg
	m, _ := compileMatcher("-bench", o.Pattern)
	return slices.ContainsFunc(m, func(a alternative) bool {
		return word.MatchString(a.text) && a.elements[0].MatchString("Benchmark"+benchmark)
	})
}

// EqualSizes are the sizes for a benchmark whose replies are as large as their requests.
func (o *Options) EqualSizes() (list []int) {
	for _, size := range o.Sizes.Values {
		list = append(list, size.Request)
	}
	return list
}

// OnlyEqualSizes returns an error for sizes of which such a benchmark cannot have both.
func (o *Options) OnlyEqualSizes() error {
	for _, size := range o.Sizes.Values {
		if size.Differs() {
			return fmt.Errorf("-size=%v: replies are as large as their requests here; Echo, Workload, Rate, Capacity, Load and Count take two sizes", size)
		}
	}
	return nil
}

// Schedule is the schedule of an open loop.
func (o *Options) Schedule(rate float64) loadgen.Schedule {
	if o.Arrivals == arrivalsConstant {
		return loadgen.Constant(rate)
	}
	return loadgen.Poisson(rate, 1)
}

// Quiet reports whether the load generator sleeps until calls are due.
func (o *Options) Quiet() bool { return o.Waiting == waitQuiet }

// Wait is how it waits.
func (o *Options) Wait() loadgen.Wait {
	switch o.Waiting {
	case waitQuiet:
		return loadgen.WaitQuiet
	case WaitSleep:
		return loadgen.WaitSleep
	}
	return loadgen.WaitAwake
}

// Given reports whether the servers are running already.
func (o *Options) Given() bool { return len(o.Servers.Values) > 0 }

// AnyNetwork reports whether one of the networks is of this kind.
func (o *Options) AnyNetwork(is func(Network) bool) bool {
	for _, n := range o.Networks.Values {
		if is(n) {
			return true
		}
	}
	return false
}

// StandsFor reports whether a variant is the one of its framework where benchmarks
// measure one alone.
func (o *Options) StandsFor(v framework.Variant) bool {
	return v.Recommended || o.oneCodec() && v.Rank != framework.Beside
}

// oneCodec reports whether the set is of variants that send protobuf.
func (o *Options) oneCodec() bool { return o.Set == setProtobuf || o.Set == setBeside }

// selection names the flags that leave out variants.
func (o *Options) selection() string {
	list := []string{"-server"}
	if !o.Given() {
		list = nil
	}
	if o.Set != setAll {
		list = append(list, "-set="+o.Set)
	}
	if names := o.Frameworks.String(); names != "" {
		list = append(list, "-framework="+names)
	}
	return strings.Join(list, " ")
}

// Together is the flag by which several processes make the calls.
func (o *Options) Together() string {
	if o.Ranks > 1 {
		return fmt.Sprintf("-ranks=%d", o.Ranks)
	}
	return fmt.Sprintf("-clients=%d", o.Clients)
}

// procsLike is what package testing adds to names where GOMAXPROCS is not 1.
var procsLike = regexp.MustCompile(`-\d+$`)

func (o *Options) check() error {
	if _, err := OneOf(arrivalsPoisson, arrivalsConstant)(o.Arrivals); err != nil {
		return fmt.Errorf("-arrivals: %w", err)
	}
	if _, err := OneOf(waitAwake, waitQuiet)(o.Waiting); err != nil {
		return fmt.Errorf("-wait: %w", err)
	}
	switch {
	case o.Clients <= 0:
		return fmt.Errorf("-clients=%d: must be more than 0", o.Clients)
	case o.Conns <= 0 || o.Workers <= 0:
		return fmt.Errorf("-conns=%d -workers=%d: must be more than 0", o.Conns, o.Workers)
	case strings.ContainsAny(o.Peer, "/=, \t\n"):
		return fmt.Errorf("-peer=%s: must be a name without any of / = , and space", o.Peer)
	case procsLike.MatchString(o.Peer):
		return fmt.Errorf("-peer=%s: benchstat takes a number behind a dash at the end of a name for GOMAXPROCS; write it without the dash", o.Peer)
	case o.Peer != "" && !o.Given():
		return fmt.Errorf("-peer=%s names the servers of -server: give both", o.Peer)
	case o.Given() && (o.Frameworks.String() != "" || o.Set != setAll):
		return errors.New("-server says what is measured: leave -framework and -set out")
	case o.Given() && o.Windows.Given():
		return errors.New("-server names a window by its keys, as in framework=tcp/transport=conn/codec=none/window=64KiB@HOST:PORT: leave -window out")
	case o.Given() && o.Layers.Given():
		return errors.New("-server names layers by its keys, as in framework=grpc/transport=h2/codec=protobuf/with=tls13@HOST:PORT: leave -with out")
	case o.Windows.Given() && o.Layers.Given():
		return errors.New("-window and -with make variants each: give one")
	case o.Given() && o.AnyNetwork(Network.Places):
		return errors.New("-net puts servers that this process starts behind a link, or on a Unix socket: leave it or -server out")
	}
	return nil
}

// server is a value of -server: VARIANT@HOST:PORT.
type server struct{ text, keys, addr string }

// readServer leaves errors to target, which names the whole value.
func readServer(text string) (server, error) {
	keys, addr, _ := strings.Cut(text, "@")
	return server{text, keys, addr}, nil
}
