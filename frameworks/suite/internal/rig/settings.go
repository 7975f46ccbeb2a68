package rig

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/certs"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	loadagent "github.com/rpcbench/rpcbench/loadgen/agent"
)

// Settings holds the constants of a run: the flags that say how cases are measured, and
// what was found out before the first case.
type Settings struct {
	callTimeout time.Duration // of each call; 0 for none
	retries     string        // what a failed call is followed by, see readRetry
	retry       retry         // read from retries
	watchdog    time.Duration
	payload     string
	fault       string // "" for none
	detail      bool
	Strict      bool
	results     string // directory of the records; "" for none
	pprof       bool
	poolWorkers int // 0 for the adapters' numbers
	pin         string
	Serve       bool // start servers for clients on other machines
	listen      string
	host        string // the machine that starts the servers; "" if this process does
	tokenFile   string
	profiles    profiles
	certsDir    string // of the certificates of TLS; "" for those made at start

	certs     *framework.Certificates
	layered   bool     // variants with layers are measured
	Listing   bool     // -cases: only names are listed
	Calls     int64    // -test.benchtime=1000x: what a line measures; 0 where it is a time
	Rounds    int      // lines of each case that are taken together
	Available cpus.Set // the CPUs of this process
	pinning   cpus.Pinning
	procs     int               // GOMAXPROCS of this process at its start
	runtime   map[string]string // settings of the Go runtime and of the build, by their keys
	here      map[string]string // what the system tells of this machine, by its keys
	flags     map[string]string // all flags of the suite, passed to agents

	clients   int
	rank      int // of this process among those that make calls
	workloads *workloads
	links     links
	scratch   *folder
	iperf     bool // iperf3 is installed
	proxy     proxyStarter
	machine   *remote.Machine // the machine that runs the servers; nil for this one

	agent     loadagent.Agent // this process among the ranks of a run
	rankGiven func() bool     // whether a flag says which, and not an engine
	gather    time.Duration   // within which all ranks have to come
	meeting   *remote.Rank    // with the other ranks; nil if there are none
	others    []*remote.Other // those that rank 0 gives orders to
	crew      crew
}

// once reports whether benchmarks only have to run, as a test: -test.benchtime=1x.
func (s *Settings) once() bool { return s.Calls == 1 }

// defaultListen is the default of -listen. Only this machine can connect to it.
const defaultListen = "127.0.0.1:0"

// register registers the flags.
func (s *Settings) register(fs *flag.FlagSet) {
	fs.StringVar(&s.payload, "payload", payloadRandom, "`bytes` of the payload: random, or compressible")
	fs.StringVar(&s.fault, "fault", "", "`fault` of the server after 1,000 calls of each round: "+strings.Join(Faults(), ", "))
	fs.DurationVar(&s.callTimeout, "call-timeout", 0, "`timeout` of each call, which costs CPU; 0 for none")
	fs.StringVar(&s.retries, "retry", noRetry, "`attempts` of a call that fails, the first included, as in 3, or 3:10ms with the longest wait before the second, "+
		"which doubles for each after that; each has the time of -call-timeout; none for one attempt")
	fs.DurationVar(&s.watchdog, "watchdog", 10*time.Second, "end a case when no call has returned for this `time`, to within a second; large payloads and networks are given their time beside it")
	fs.StringVar(&s.pin, "pin", "auto", "`CPUs` of server and client: auto for as many whole cores each, of one node; off; or as in 0-3/4-7, and as in 0-2/3-5/6-7 with those of the line of -net")
	fs.BoolVar(&s.Serve, "serve", false, "start servers for a run with -host on another machine, until Ctrl-C")
	fs.StringVar(&s.listen, "listen", defaultListen, "`host:port` where -serve listens; beyond the loopback interface it needs a token")
	fs.StringVar(&s.host, "host", "", "`host:port` of -serve on another machine, which then runs the servers")
	fs.StringVar(&s.tokenFile, "token-file", "", "`file` of the token, behind which -serve writes the fingerprint of its key; -serve makes it if there is none; without it both are in "+host.EnvToken)
	fs.StringVar(&s.certsDir, "certs", "", "`directory` of certificates for TLS: "+strings.Join(certs.Names(), ", ")+"; without it they are made at start")
	fs.BoolVar(&s.detail, "detail", false, "also report minimum, mean, maximum, service times, counts, memory and soft interrupts")
	fs.StringVar(&s.results, "results", "", "`directory` for a record of each line, with its histograms, for benchreport")
	fs.BoolVar(&s.Strict, "strict", false, "exit with 1 when a result should not be trusted")
	fs.BoolVar(&s.pprof, "pprof", false, "print where each server answers net/http/pprof")
	fs.IntVar(&s.poolWorkers, "pool-workers", 0, "`workers` of the servers of variants with pool=workers; 0 for the number of each framework's set-up")
	s.profiles.register(fs)
	s.registerRanks(fs)
}

// check returns an error if a setting is wrong or does not go with the options.
func (s *Settings) check(o *plan.Options) error {
	for _, wrong := range []error{settings.Check(), s.checkValues(o), s.checkPool(), s.checkReplies(o), s.checkGiven(o), s.checkRemote(o)} {
		if wrong != nil {
			return wrong
		}
	}
	return nil
}

func (s *Settings) checkValues(o *plan.Options) error {
	if _, err := plan.OneOf(payloadRandom, payloadCompressible)(s.payload); err != nil {
		return fmt.Errorf("-payload: %w", err)
	}
	if _, err := plan.OneOf(Faults()...)(s.fault); err != nil && s.fault != "" {
		return fmt.Errorf("-fault: %w", err)
	}
	var err error
	if s.retry, err = readRetry(s.retries); err != nil {
		return fmt.Errorf("-retry: %w", err)
	}
	switch {
	case s.retry.on() && o.Clients > 1:
		return fmt.Errorf("-retry=%s %s: attempts are counted for the calls of one client", s.retries, o.Together())
	case s.fault == faultFlip && s.payload == payloadCompressible:
		return errors.New("-fault=flip -payload=compressible: flips are counted by payload, and compressible ones look alike everywhere: leave one out")
	case s.fault != "" && o.Clients > 1:
		return fmt.Errorf("-fault=%s %s: a fault needs the calls of one client", s.fault, o.Together())
	case s.callTimeout < 0 || s.watchdog <= 0:
		return fmt.Errorf("-call-timeout=%v -watchdog=%v: must not be negative, the watchdog more than 0", s.callTimeout, s.watchdog)
	}
	return nil
}

// checkReplies refuses what needs replies that are the payloads of their requests.
func (s *Settings) checkReplies(o *plan.Options) error {
	at := slices.IndexFunc(o.Sizes.Values, plan.Size.Differs)
	switch {
	case at < 0:
		return nil
	case s.payload == payloadCompressible:
		return fmt.Errorf("-size=%v -payload=compressible: replies of another size are random bytes: leave one out", o.Sizes.Values[at])
	case s.fault == faultFlip:
		return fmt.Errorf("-size=%v -fault=flip: flips are counted by payload, which replies of another size are not: leave one out", o.Sizes.Values[at])
	}
	return nil
}

// checkGiven refuses settings that need servers started by the suite, if servers are
// given by -server.
func (s *Settings) checkGiven(o *plan.Options) error {
	if o.Given() && (s.fault != "" || s.pprof || s.profiles.wanted()) {
		return errors.New("-fault, -pprof and profiles of the server need a server that this process starts: leave them or -server out")
	}
	return nil
}

// checkRemote refuses settings that do not go with -serve or -host.
func (s *Settings) checkRemote(o *plan.Options) error {
	switch {
	case s.Serve && s.host != "":
		return errors.New("-serve and -host are the two sides: give one")
	case (s.Serve || s.host != "") && o.Given():
		return errors.New("-server is a server that is running already, and needs neither -serve nor -host")
	case !s.Serve && s.listen != defaultListen:
		return fmt.Errorf("-listen=%s is for -serve: give both", s.listen)
	case !s.Serve && s.host == "" && s.tokenFile != "":
		return fmt.Errorf("-token-file=%s is for -serve or -host: give one", s.tokenFile)
	case s.Serve && s.certsDir != "":
		return errors.New("-certs: the clients of -serve send theirs")
	case s.host == "":
		return nil
	case s.pin != "auto" && s.pin != "off":
		return fmt.Errorf("-pin=%s: with -host the servers are pinned by -serve -pin, and the client by taskset", s.pin)
	case o.AnyNetwork(plan.Network.Places):
		return errors.New("-net: with -host there is a network between client and server: leave one out")
	case s.pprof:
		return errors.New("-pprof: with -host take -server-cpuprofile and the like, which come from the other machine")
	}
	if s.poolWorkers > 0 {
		return fmt.Errorf("-pool-workers=%d: with -host it is an option of -serve", s.poolWorkers)
	}
	return s.workloads.checkRemote()
}

// choosePinning decides on which CPUs the two sides run if they share this machine.
func (s *Settings) choosePinning(o *plan.Options) (err error) {
	if s.Available, err = cpus.Available(); err != nil {
		return err
	}
	s.procs = runtime.GOMAXPROCS(0)
	s.pinning, err = cpus.ParsePin(s.pin, s.Available, cpus.ReadTopology(os.DirFS("/"), s.Available))
	switch {
	case s.pin != "auto":
	case o.Given():
		s.pinning = cpus.Pinning{Why: "the server is not ours to pin"}
	case s.Serve || s.host != "":
		s.pinning = cpus.Pinning{Why: "client and servers have a machine each"}
	}
	return err
}

// cpus returns the CPUs of both sides.
func (s *Settings) cpus() cpus.Set {
	if s.pinning.Pinned() {
		return slices.Concat(s.pinning.Server, s.pinning.Client)
	}
	return s.Available
}

// serverProcs returns the GOMAXPROCS of the servers, which is found in the same way as
// that of the client: by the environment, else by the CPUs of their side. Sides that
// are not pinned have what the runtime chose for this process, which knows of quotas.
func (s *Settings) serverProcs() int {
	asked, _ := strconv.Atoi(os.Getenv("GOMAXPROCS")) // the runtime ignores what is no number as well
	switch {
	case s.machine != nil:
		return s.machine.About().Procs
	case asked > 0:
		return asked
	case s.pinning.Pinned():
		return len(s.pinning.Server)
	}
	return s.procs
}

// progress prints progress on the standard error. It prints nothing if the standard
// output is a terminal or the same file, since that could split a result line.
func progress(format string, args ...any) {
	out, err := os.Stdout.Stat()
	if err != nil || out.Mode()&os.ModeCharDevice != 0 {
		return
	}
	if errOut, err := os.Stderr.Stat(); err == nil && !os.SameFile(out, errOut) {
		fmt.Fprintln(os.Stderr, foreign.Line(fmt.Sprintf(format, args...)))
	}
}
