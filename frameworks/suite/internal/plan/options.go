package plan

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Options decide which cases there are: the flags shared by all benchmarks, the
// pattern of -bench, and the limits of this process.
type Options struct {
	Set        string
	Frameworks List[string]
	Servers    List[server]
	Peer       string
	Networks   List[Network]

	Sizes    List[int] // of the echo payload in bytes
	Concs    List[int] // callers of a closed loop
	Workers  int       // most calls in flight of an open loop
	Arrivals string    // of an open loop
	Conns    int       // of a transport that shares them
	Clients  int       // processes that make the calls together

	Pattern string   // of -test.bench; NoCase unless it is set
	Binary  []string // the benchmarks of this binary; nil: not known
	Files   int      // that a process may have open; 0: not known
}

// NoCase is a pattern that selects none.
const NoCase = "^$"

// The values of -set.
const (
	setAll         = "all"
	setRecommended = "recommended"
)

// The values of -arrivals.
const (
	arrivalsPoisson  = "poisson"
	arrivalsConstant = "constant"
)

// NewOptions are the defaults.
func NewOptions() *Options {
	text := func(s string) (string, error) { return s, nil }
	o := &Options{
		Set: setAll, Workers: 1000, Arrivals: arrivalsPoisson, Conns: 10, Clients: 1, Pattern: NoCase,
		Frameworks: NewList("", text),
		Servers:    List[server]{read: readServer, appends: true, optional: true},
		Networks:   NewList("none", readNetwork),
		Sizes:      NewList("64B,1KiB,16KiB", ParseSize),
		Concs:      NewList("100", Positive),
	}
	return o
}

// Register registers the flags.
func (o *Options) Register(fs *flag.FlagSet) {
	fs.StringVar(&o.Set, "set", o.Set, "variants to measure: all, or recommended for one of each framework and raw TCP")
	fs.Var(&o.Frameworks, "framework", "`frameworks` to measure, separated by commas; empty for all")
	fs.Var(&o.Sizes, "size", "`sizes` of the echo payload, separated by commas")
	fs.Var(&o.Concs, "conc", "`numbers` of concurrent callers, separated by commas")
	fs.StringVar(&o.Arrivals, "arrivals", o.Arrivals, "arrivals of Rate, Capacity and Load: poisson, or constant")
	fs.IntVar(&o.Workers, "workers", o.Workers, "most calls in flight of Rate, Capacity and Load")
	fs.IntVar(&o.Conns, "conns", o.Conns, "connections of a transport that shares them; pools open up to one per caller")
	fs.IntVar(&o.Clients, "clients", o.Clients, "client processes that make the calls together, with -conc, -conns and -rate divided among them")
	fs.Var(&o.Networks, "net", "`networks` between client and server, separated by commas: none; "+
		"delay-1ms and delay-10ms, each way, so that a round trip takes twice as long, and rate-1gbit, each way, "+
		"in a network namespace, for Echo, Message, Rate, Stream and Bulk, with Linux and root; "+
		"proxy-1ms, each way, for Echo, Message and Rate")
	fs.Var(&o.Servers, "server", "measure a `server` that is running already, as VARIANT@HOST:PORT with the first keys of a variant, "+
		"enough to tell it from others; may be repeated. See frameworks/PROTOCOL.md")
	fs.StringVar(&o.Peer, "peer", "", "what the servers of -server are, as in dubbo-java: the last key of their lines, peer=")
}

// Schedule is that of an open loop.
func (o *Options) Schedule(rate float64) loadgen.Schedule {
	if o.Arrivals == arrivalsConstant {
		return loadgen.Constant(rate)
	}
	return loadgen.Poisson(rate, 1)
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

func (o *Options) check() error {
	switch {
	case o.Clients <= 0:
		return fmt.Errorf("-clients=%d: must be more than 0", o.Clients)
	case o.Arrivals != arrivalsPoisson && o.Arrivals != arrivalsConstant:
		return fmt.Errorf("-arrivals=%s: must be poisson or constant", o.Arrivals)
	case o.Conns <= 0 || o.Workers <= 0:
		return fmt.Errorf("-conns=%d -workers=%d: must be more than 0", o.Conns, o.Workers)
	case strings.ContainsAny(o.Peer, "/=, \t\n"):
		return fmt.Errorf("-peer=%s: must be a name without any of / = , and space", o.Peer)
	case o.Peer != "" && !o.Given():
		return fmt.Errorf("-peer=%s names the servers of -server: give both", o.Peer)
	case o.Given() && (o.Frameworks.String() != "" || o.Set != setAll):
		return errors.New("-server says what is measured: leave -framework and -set out")
	case o.Given() && o.AnyNetwork(Network.Linked):
		return errors.New("-net puts servers that this process starts behind a link: leave it or -server out")
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
