package plan

import (
	"errors"
	"flag"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/spread"
)

// Benchmark is one benchmark over all variants.
type Benchmark struct {
	Name string // of its function in a package of benchmarks, without "Benchmark"
	// Cases lists the cases of one variant. When two have the same name, the first
	// is measured.
	Cases func(o *Options, t Target) []Leaf
	// Beside lists the cases of a program that is measured beside the variants over
	// a network, such as iperf3; nil for none.
	Beside func(n Network, all []Target) (Target, []Leaf)

	// Flags registers the benchmark's own flags; nil: it has none.
	Flags func(fs *flag.FlagSet)
	// Lists are the keys whose values a flag of another name lists.
	Lists map[string]string
	// Check returns an error if the values of these flags cannot be used; nil:
	// all can.
	Check func(all []Target) error
	// Runs returns why no case of the benchmark can run with these options; nil:
	// all can.
	Runs func(o *Options) error

	// Keys returns the variant's keys that a case's name begins with; nil for
	// framework=, transport= and codec=.
	Keys func(v framework.Variant) string
	// NoNetwork says why the benchmark is measured with net=none only; "" if it is not.
	NoNetwork string
	// NoProxy says why it is not measured by way of a proxy; "" if it is.
	NoProxy string
	// NoCores says why it is not measured by -cores; "" if it is.
	NoCores string
	// NamesNet says that every line has net=. Otherwise only lines over a network
	// have it, as an optional key.
	NamesNet bool
	// Windowed says that variants with a Window are measured.
	Windowed bool
	// OwnServers says why the suite cannot run the benchmark against a server
	// given by -server; "" if it can.
	OwnServers string
}

// function is the name of the benchmark's function.
func (b *Benchmark) function() string { return "Benchmark" + b.Name }

// Leaf is a case before it has a target and a network. The rig's leaves add to
// the Spec how the case is measured.
type Leaf interface{ Common() Spec }

// Spec is what all cases have.
type Spec struct {
	Keys     string // after the variant's, as in "size=1KiB/conc=100"
	Optional string // keys that come after the variant's optional ones, as in "/mode=oneway"
	Workers  int
	Size     int // of the payload in bytes; of Sizes their mean
	Largest  int // largest message in bytes; 0: Size
	// Sizes is the distribution of the payloads' sizes; nil: all calls have the same Size.
	Sizes    *spread.Spread
	Cycle    int    // messages that a worker sends in turn, of different sizes; 0: all have Size
	Action   string // of the requests; "" for handler.ActionEcho
	Lacks    string // why the variant cannot send or answer the requests; "" if it can
	Conns    int    // of a shared transport; 0: the variant's, or -conns
	Servers  int    // 0: 1
	Streams  int    // on which messages are due; 0: calls are
	Addrs    int    // at which each server should listen; 0: 1
	Workload string // that the servers are started with; "" for none
	Slow     Slow   // the server whose work takes longer than that of the others
	Policy   string // of the framework's load balancing, or NoPolicy; "" for its default one
	Weights  []int  // of the servers, for a policy that takes them; nil: they are equal
	// OwnServers says why the suite cannot run the case against a server given by -server;
	// "" if it can.
	OwnServers string
	Returns    bool // a server is killed, and another one listens at its address
	OwnData    bool // the requests do not have the payload of -payload
	Streamed   bool // the calls are messages on streams, or transfers by them
	Endless    bool // the calls do not end at a deadline, so that -call-timeout is not theirs

	Cost
}

// NoPolicy is the Policy of a case without load balancing: a client for each server.
const NoPolicy = "none"

// PolicyNames are the names of all policies. A framework has those that it ships.
func PolicyNames() []string {
	return []string{"roundrobin", "random", "weighted", "leastload", "p2c", "consistenthash"}
}

// PolicyOf returns a variant's policy of a name.
func PolicyOf(v framework.Variant, name string) (p framework.Policy, has bool) {
	i := slices.IndexFunc(v.Policies, func(p framework.Policy) bool { return p.Name == name })
	if i < 0 {
		return p, false
	}
	return v.Policies[i], true
}

// Slow is a server whose work takes longer than that of the others. The zero Slow is none.
type Slow struct {
	Server int     // from 1
	Times  float64 // how many times as long its work takes
}

// Of returns how many times as long the work of a server takes, which is 1 for the others.
// Servers are numbered from 1.
func (s Slow) Of(server int) float64 {
	if server == s.Server {
		return s.Times
	}
	return 1
}

// Cost is how long a case takes, as far as its requests do not say.
type Cost struct {
	Mean         int           // payload of a call in bytes, as the mean of all; 0: the larger of Size and Largest
	Overlaps     bool          // the reply comes while the request is being sent, or is small
	Batch        int           // calls that a worker makes for each reply that it waits for; 0: 1
	Rate         int           // calls per second that are due; 0: a closed loop
	Search       time.Duration // what a search for the capacity takes; 0: there is none
	Within       time.Duration // in which a search wants calls to be answered; 0: there is none
	SharesSearch bool          // one search serves the cases of a variant and size, and comes before them
}

// Common implements Leaf.
func (s Spec) Common() Spec { return s }

// takes returns why a benchmark is not measured over a network; nil if it is.
func (b *Benchmark) takes(n Network) error {
	switch {
	case b.NoNetwork != "" && !n.Direct():
		return errors.New(b.NoNetwork)
	case b.NoProxy != "" && n.Program != "":
		return errors.New(b.NoProxy)
	}
	return nil
}
