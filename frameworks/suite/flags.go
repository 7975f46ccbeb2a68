package suite

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/loadgen"
)

// flags are the suite's own, beside those of package testing. They are written
// with = and after the package: go test -bench X . -conc=100,1000
type flags struct {
	set       string
	framework string
	size      string
	conc      string
	rate      string
	process   string
	workers   int
	slo       string
	load      string
	probeFor  time.Duration
	conns     int
	clients   int
	conn      string
	call      string
	servers   string
	payload   string
	bulk      string
	transfers string
	chunk     string
	net       string
	fault     string
	timeout   time.Duration
	watchdog  time.Duration
	pin       string
	given     givenList
	peer      string
	remotes
	detail    bool
	strict    bool
	cases     bool
	table     bool
	resultDir string
	pprof     bool
	profiles  profiles
	works     works

	sizes, concs, rates, serverCounts []int // parsed
	slos                              []*slo
	percents                          []int
	bulkSizes, parallels              []int
	chunkSize                         int
	networks                          []network
	variants                          []target
	available                         host.CPUSet
	pinning                           host.Pinning
	lacks                             map[string]string // kind of cases → why they are left out
}

const defaultChunk = 64 << 10

func (f *flags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.set, "set", "all", "variants to measure: all, or recommended for one of each framework and raw TCP")
	fs.StringVar(&f.framework, "framework", "", "frameworks to measure, separated by commas; empty for all")
	fs.StringVar(&f.size, "size", "64B,1KiB,16KiB", "sizes of the echo payload, separated by commas")
	fs.StringVar(&f.conc, "conc", "100", "numbers of concurrent callers, separated by commas")
	fs.StringVar(&f.rate, "rate", "1000,10000", "calls per second offered by Rate, separated by commas")
	fs.StringVar(&f.process, "arrivals", "poisson", "arrivals of Rate, Capacity and Load: poisson, or constant")
	fs.IntVar(&f.workers, "workers", 1000, "most calls in flight of Rate, Capacity and Load")
	fs.StringVar(&f.slo, "slo", "p99-5ms", "objectives of Capacity, separated by commas; Load takes the first")
	fs.StringVar(&f.load, "load", "10,20,30,40,50,60,70,80,90,100,110", "percentages of the capacity that Load offers, separated by commas")
	fs.DurationVar(&f.probeFor, "probe", 15*time.Second, "most time of each rate that Capacity tries")
	fs.IntVar(&f.conns, "conns", 10, "connections of a transport that shares them; pools open up to one per caller")
	fs.IntVar(&f.clients, "clients", 1, "client processes that make the calls together, with -conc, -conns and -rate divided among them")
	fs.StringVar(&f.conn, "conn", strings.Join(connNames, ","), "connection models of Conn, separated by commas")
	fs.StringVar(&f.call, "call", callSync+","+callAsync, "ways to call of Conn, separated by commas")
	fs.StringVar(&f.servers, "servers", "2", "numbers of servers of Cluster, separated by commas")
	fs.StringVar(&f.payload, "payload", payloadRandom, "bytes of the echo payload: random, or compressible")
	fs.StringVar(&f.bulk, "bulk", "256B,64KiB,4MiB,45MiB", "sizes of the transfers of Bulk, separated by commas")
	fs.StringVar(&f.transfers, "transfers", "1,2,4,8", "numbers of transfers of Bulk at once, separated by commas")
	fs.StringVar(&f.chunk, "chunk", formatSize(defaultChunk), "size of the messages that a transfer by stream is cut into")
	fs.StringVar(&f.net, "net", "none", "networks between client and server, separated by commas: none; delay-1ms and delay-10ms, each way, so that a round trip takes twice as long, and rate-1gbit, each way, in a network namespace, for Echo, Message, Rate, Stream and Bulk, with Linux and root; proxy-1ms, each way, for Echo, Message and Rate")
	fs.StringVar(&f.fault, "fault", "", "break the server after 1,000 calls of each round, to see what errors a framework gives: "+strings.Join(faults, ", "))
	fs.DurationVar(&f.timeout, "call-timeout", 0, "timeout of each call, which costs CPU; 0 for none")
	fs.DurationVar(&f.watchdog, "watchdog", 10*time.Second, "end a case when no call has ended for so long, to within a second")
	fs.StringVar(&f.pin, "pin", "auto", "CPUs of server and client: auto for half each, off, or as in 0-3/4-7")
	fs.Var(&f.given, "server", "measure a server that is running already, as VARIANT@HOST:PORT with the first keys of a variant, enough to tell it from others; may be repeated. See frameworks/PROTOCOL.md")
	fs.StringVar(&f.peer, "peer", "", "what the servers of -server are, as in dubbo-java: the last key of their lines, peer=")
	fs.BoolVar(&f.serve, "serve", false, "start servers for a run on another machine, see -host; end with Ctrl-C")
	fs.StringVar(&f.listen, "listen", defaultListen, "where -serve listens, host:port; beyond the loopback interface it needs a token")
	fs.StringVar(&f.host, "host", "", "host:port of -serve on another machine, which then runs the servers")
	fs.StringVar(&f.tokenFile, "token-file", "", "file of the token of -serve and -host; without it the token is in "+host.EnvToken)
	fs.BoolVar(&f.detail, "detail", false, "report the mean, the maximum and service times as well")
	fs.StringVar(&f.resultDir, "results", "", "directory to write a record of each line into, with its histograms, for benchreport")
	fs.BoolVar(&f.strict, "strict", false, "exit with 1 when a result should not be trusted")
	fs.BoolVar(&f.pprof, "pprof", false, "print where each server answers net/http/pprof")
	f.profiles.register(fs)
	fs.BoolVar(&f.table, "variants", false, "print a table of the variants and how they are set up, and do nothing else")
	fs.BoolVar(&f.cases, "cases", false, "print the names of the cases that -bench selects, and do nothing else")
}

// parse checks every flag and turns it into what it means.
func (f *flags) parse(all []framework.Variant, rest []string) (err error) {
	if len(rest) > 0 {
		return fmt.Errorf("arguments left over after the flags: %q; write our flags with = and after the package, as in go test -bench Echo . -conc=100", rest)
	}
	if f.variants, err = selectVariants(all, f.set, f.framework); err != nil {
		return err
	}
	if err = f.works.parse(); err != nil {
		return err
	}
	if f.sizes, err = parseList("-size", f.size, parseSize); err != nil {
		return err
	}
	if f.concs, err = parseList("-conc", f.conc, positive); err != nil {
		return err
	}
	if f.rates, err = parseList("-rate", f.rate, positive); err != nil {
		return err
	}
	if f.slos, err = parseList("-slo", f.slo, parseSLO); err != nil {
		return err
	}
	if f.percents, err = parseList("-load", f.load, positive); err != nil {
		return err
	}
	if f.probeFor < time.Second {
		return fmt.Errorf("-probe=%v: must be at least 1s", f.probeFor)
	}
	if f.serverCounts, err = parseList("-servers", f.servers, positive); err != nil {
		return err
	}
	if f.bulkSizes, err = parseList("-bulk", f.bulk, parseSize); err != nil {
		return err
	}
	if f.parallels, err = parseList("-transfers", f.transfers, positive); err != nil {
		return err
	}
	if f.chunkSize, err = parseSize(f.chunk); err != nil || f.chunkSize == 0 {
		return fmt.Errorf("-chunk=%s: must be a size more than 0, as in 64KiB", f.chunk)
	}
	if f.networks, err = parseList("-net", f.net, parseNetwork); err != nil {
		return err
	}
	if err = f.parseGiven(all); err != nil {
		return err
	}
	if err = f.parseConns(); err != nil {
		return err
	}
	if err = known("-payload", f.payload, []string{payloadRandom, payloadCompressible}); err != nil {
		return err
	}
	if f.fault != "" {
		if err = known("-fault", f.fault, faults); err != nil {
			return err
		}
	}
	if f.fault != "" && f.clients > 1 {
		return fmt.Errorf("-fault=%s -clients=%d: a fault needs the calls of one client", f.fault, f.clients)
	}
	if f.clients <= 0 {
		return fmt.Errorf("-clients=%d: must be more than 0", f.clients)
	}
	if f.process != "poisson" && f.process != "constant" {
		return fmt.Errorf("-arrivals=%s: must be poisson or constant", f.process)
	}
	if f.conns <= 0 || f.workers <= 0 {
		return fmt.Errorf("-conns=%d -workers=%d: must be more than 0", f.conns, f.workers)
	}
	if f.timeout < 0 || f.watchdog <= 0 {
		return fmt.Errorf("-call-timeout=%v -watchdog=%v: must not be negative, the watchdog more than 0", f.timeout, f.watchdog)
	}
	if f.available, err = host.Available(); err != nil {
		return err
	}
	if err = f.checkRemote(); err != nil {
		return err
	}
	return f.parsePin()
}

// parsePin has both sides pinned if they share this machine.
func (f *flags) parsePin() (err error) {
	f.pinning, err = host.ParsePin(f.pin, f.available)
	switch {
	case f.pin != "auto":
	case len(f.given) > 0:
		f.pinning = host.Pinning{Why: "the server is not ours to pin"}
	case f.serve || f.host != "":
		f.pinning = host.Pinning{Why: "client and servers have a machine each"}
	}
	return err
}

// arrivals is the schedule of an open loop.
func (f *flags) arrivals(rate float64) loadgen.Schedule {
	if f.process == "constant" {
		return loadgen.Constant(rate)
	}
	return loadgen.Poisson(rate, 1)
}

func selectVariants(all []framework.Variant, set, frameworks string) ([]target, error) {
	for i, v := range all {
		if slices.ContainsFunc(all[:i], func(w framework.Variant) bool { return w.ID() == v.ID() }) {
			return nil, fmt.Errorf("Config.Frameworks: %s is there twice", v.ID())
		}
	}
	if set != "all" && set != "recommended" {
		return nil, fmt.Errorf("-set=%s: must be all or recommended", set)
	}
	known := frameworkNames(all)
	wanted := known
	if frameworks != "" {
		wanted = strings.Split(frameworks, ",")
	}
	for _, name := range wanted {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("-framework: unknown framework %q: there are %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(targets(all), func(v target) bool {
		return !slices.Contains(wanted, v.Framework) || set == "recommended" && !v.Recommended
	}), nil
}

func frameworkNames(all []framework.Variant) []string {
	var names []string
	for _, v := range all {
		if !slices.Contains(names, v.Framework) {
			names = append(names, v.Framework)
		}
	}
	return names
}

// parseList reads a list separated by commas; the error names the flag.
func parseList[T any](name, list string, parse func(string) (T, error)) ([]T, error) {
	var values []T
	for _, s := range strings.Split(list, ",") {
		v, err := parse(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values = append(values, v)
	}
	return values, nil
}

func positive(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q must be a whole number more than 0", s)
	}
	return n, nil
}
