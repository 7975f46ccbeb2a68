package rig

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Settings are the constants of a run: the flags that say how cases are
// measured, and what was found out before the first one.
type Settings struct {
	CallTimeout time.Duration // of each call; 0: none
	Watchdog    time.Duration
	Payload     string
	Fault       string // "" for none
	Detail      bool
	Strict      bool
	Results     string // directory of the records; "" for none
	Pprof       bool
	Pin         string
	Serve       bool // start servers for others
	listen      string
	Host        string // that starts the servers; "" for this process
	tokenFile   string
	profiles    profiles

	Once      bool        // -test.benchtime=1x: only to see that it runs
	Available host.CPUSet // the CPUs of this process
	Pinning   host.Pinning
	Flags     map[string]string // all flags of the suite, for processes that share the load

	clients int
	works   *works
	links   links
	proxy   proxyStarter
	machine *remote.Machine // that runs the servers; nil: this one
}

// The values of -fault.
const (
	faultKill    = "kill"
	faultFreeze  = "freeze"
	faultGarbage = "garbage"
)

func faults() []string { return []string{faultKill, faultFreeze, faultGarbage} }

// defaultListen is that of -listen: this machine alone comes to it.
const defaultListen = "127.0.0.1:0"

// register registers the flags.
func (s *Settings) register(fs *flag.FlagSet) {
	fs.StringVar(&s.Payload, "payload", payloadRandom, "bytes of the echo payload: random, or compressible")
	fs.StringVar(&s.Fault, "fault", "", "break the server after 1,000 calls of each round, to see what errors a framework gives: "+strings.Join(faults(), ", "))
	fs.DurationVar(&s.CallTimeout, "call-timeout", 0, "timeout of each call, which costs CPU; 0 for none")
	fs.DurationVar(&s.Watchdog, "watchdog", 10*time.Second, "end a case when no call has ended for so long, to within a second")
	fs.StringVar(&s.Pin, "pin", "auto", "CPUs of server and client: auto for half each, off, or as in 0-3/4-7")
	fs.BoolVar(&s.Serve, "serve", false, "start servers for a run on another machine, see -host; end with Ctrl-C")
	fs.StringVar(&s.listen, "listen", defaultListen, "where -serve listens, host:port; beyond the loopback interface it needs a token")
	fs.StringVar(&s.Host, "host", "", "host:port of -serve on another machine, which then runs the servers")
	fs.StringVar(&s.tokenFile, "token-file", "", "file of the token of -serve and -host; without it the token is in "+host.EnvToken)
	fs.BoolVar(&s.Detail, "detail", false, "report the mean, the maximum and service times as well")
	fs.StringVar(&s.Results, "results", "", "directory to write a record of each line into, with its histograms, for benchreport")
	fs.BoolVar(&s.Strict, "strict", false, "exit with 1 when a result should not be trusted")
	fs.BoolVar(&s.Pprof, "pprof", false, "print where each server answers net/http/pprof")
	s.profiles.register(fs)
}

// check says what is wrong with the settings, or does not go with the options.
func (s *Settings) check(o *plan.Options) error {
	for _, wrong := range []error{s.checkValues(o.Clients), s.checkGiven(o), s.checkRemote(o)} {
		if wrong != nil {
			return wrong
		}
	}
	return nil
}

func (s *Settings) checkValues(clients int) error {
	if _, err := plan.OneOf(payloadRandom, payloadCompressible)(s.Payload); err != nil {
		return fmt.Errorf("-payload: %w", err)
	}
	if _, err := plan.OneOf(faults()...)(s.Fault); err != nil && s.Fault != "" {
		return fmt.Errorf("-fault: %w", err)
	}
	switch {
	case s.Fault != "" && clients > 1:
		return fmt.Errorf("-fault=%s -clients=%d: a fault needs the calls of one client", s.Fault, clients)
	case s.CallTimeout < 0 || s.Watchdog <= 0:
		return fmt.Errorf("-call-timeout=%v -watchdog=%v: must not be negative, the watchdog more than 0", s.CallTimeout, s.Watchdog)
	}
	return nil
}

// checkGiven refuses what goes with our own servers only.
func (s *Settings) checkGiven(o *plan.Options) error {
	if o.Given() && (s.Fault != "" || s.Pprof || s.profiles.wanted()) {
		return errors.New("-fault, -pprof and profiles of the server need a server that this process starts: leave them or -server out")
	}
	return nil
}

// checkRemote refuses what does not go with -serve or -host.
func (s *Settings) checkRemote(o *plan.Options) error {
	switch {
	case s.Serve && s.Host != "":
		return errors.New("-serve and -host are the two sides: give one")
	case (s.Serve || s.Host != "") && o.Given():
		return errors.New("-server is a server that is running already, and needs neither -serve nor -host")
	case !s.Serve && s.listen != defaultListen:
		return fmt.Errorf("-listen=%s is for -serve: give both", s.listen)
	case !s.Serve && s.Host == "" && s.tokenFile != "":
		return fmt.Errorf("-token-file=%s is for -serve or -host: give one", s.tokenFile)
	case s.Host == "":
		return nil
	case s.Pin != "auto" && s.Pin != "off":
		return fmt.Errorf("-pin=%s: with -host the servers are pinned by -serve -pin, and the client by taskset", s.Pin)
	case o.Over(plan.Network.Linked):
		return errors.New("-net: with -host there is a network between client and server: leave one out")
	case s.Pprof:
		return errors.New("-pprof: with -host take -server-cpuprofile and the like, which come from the other machine")
	}
	return s.works.checkRemote()
}

// choosePinning has both sides pinned if they share this machine.
func (s *Settings) choosePinning(o *plan.Options) (err error) {
	if s.Available, err = host.Available(); err != nil {
		return err
	}
	s.Pinning, err = host.ParsePin(s.Pin, s.Available)
	switch {
	case s.Pin != "auto":
	case o.Given():
		s.Pinning = host.Pinning{Why: "the server is not ours to pin"}
	case s.Serve || s.Host != "":
		s.Pinning = host.Pinning{Why: "client and servers have a machine each"}
	}
	return err
}

// cpus are those of both sides.
func (s *Settings) cpus() host.CPUSet {
	if s.Pinning.Pinned() {
		return slices.Concat(s.Pinning.Server, s.Pinning.Client)
	}
	return s.Available
}

// serverProcs is the GOMAXPROCS of the servers.
func (s *Settings) serverProcs() int {
	if s.machine != nil {
		return s.machine.About().Procs
	}
	if n := len(s.Pinning.Server); n > 0 {
		return n
	}
	return len(s.Available)
}

// warmFor is how long all workers call before anything is measured. It is short
// where a benchmark runs once, to see that it runs.
func (s *Settings) warmFor() time.Duration {
	if s.Once {
		return 5 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// tell prints progress where that can split no result line.
func tell(format string, args ...any) {
	out, err := os.Stdout.Stat()
	if err != nil || out.Mode()&os.ModeCharDevice != 0 {
		return
	}
	if errOut, err := os.Stderr.Stat(); err == nil && !os.SameFile(out, errOut) {
		fmt.Fprintf(os.Stderr, format, args...)
	}
}
