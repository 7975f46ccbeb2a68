package rig

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fault"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/profile"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ranks"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

// Settings are the constants of a run: flags by what they are about, and what was found
// out before the first case.
type Settings struct {
	Load         load.Settings
	Agents       load.Agents
	Servers      server.Settings
	Networks     server.Networks
	Ranks        ranks.Ranks
	Machines     machines
	Placement    placement
	certificates certificates
	Profiles     profile.Profiles
	Fault        string // of -fault; "" for none
	Output       output
	facts        facts

	Listing bool // -cases: only names are listed
	Rounds  int  // lines of each case that are taken together
	layered bool // variants with layers, metadata or interceptors are measured
}

// register registers the flags.
func (s *Settings) register(fs *flag.FlagSet) {
	fs.StringVar(&s.Fault, "fault", "", "`fault` of the server after 1,000 calls of each round: "+strings.Join(fault.All(), ", "))
	s.Load.Register(fs)
	s.Servers.Register(fs)
	s.Ranks.Register(fs)
	s.Machines.register(fs)
	s.Placement.register(fs)
	s.certificates.register(fs)
	s.Profiles.Register(fs)
	s.Output.register(fs)
}

// check returns an error if a setting is wrong or does not go with another or the options.
func (s *Settings) check(o *plan.Options) error {
	for _, wrong := range []error{
		settings.Check(), s.Load.Check(), s.Servers.Check(), s.checkFault(), s.checkClients(o),
		s.checkReplies(o), s.checkGiven(o), profile.CheckAnatomy(s.Output.anatomy, s.Fault, s.Profiles), s.checkServing(), s.checkHost(o), s.checkCores(o),
	} {
		if wrong != nil {
			return wrong
		}
	}
	return nil
}

func (s *Settings) checkFault() error {
	if _, err := plan.OneOf(fault.All()...)(s.Fault); err != nil && s.Fault != "" {
		return fmt.Errorf("-fault: %w", err)
	}
	if s.Fault == fault.Flip && s.Load.Compressible() {
		return errors.New("-fault=flip -payload=compressible: flips are counted by payload, and compressible ones look alike everywhere: leave one out")
	}
	return nil
}

// checkClients refuses what needs the calls of one client.
func (s *Settings) checkClients(o *plan.Options) error {
	switch {
	case o.Clients <= 1:
		return nil
	case s.Fault != "":
		return fmt.Errorf("-fault=%s %s: a fault needs the calls of one client", s.Fault, o.Together())
	case s.Output.anatomy != "":
		return fmt.Errorf("-anatomy %s: a profile of the client needs the calls of one client", o.Together())
	case s.Profiles.OfClient():
		return fmt.Errorf("-client-cpuprofile %s: a profile of the client needs the calls of one client", o.Together())
	}
	return nil
}

// checkReplies refuses what needs replies that are the payloads of their requests.
func (s *Settings) checkReplies(o *plan.Options) error {
	at, varied := slices.IndexFunc(o.Sizes.Values, plan.Size.Differs), slices.IndexFunc(o.Sizes.Values, plan.Size.Varies)
	switch {
	case varied >= 0 && s.Fault == fault.Flip:
		return fmt.Errorf("-size=%v -fault=flip: flips are counted by payloads of one size: leave one out", o.Sizes.Values[varied])
	case at < 0:
		return nil
	case s.Load.Compressible():
		return fmt.Errorf("-size=%v -payload=compressible: replies of another size are random bytes: leave one out", o.Sizes.Values[at])
	case s.Fault == fault.Flip:
		return fmt.Errorf("-size=%v -fault=flip: flips are counted by payload, which replies of another size are not: leave one out", o.Sizes.Values[at])
	}
	return nil
}

// checkGiven refuses settings that need servers started by the suite, if servers are
// given by -server.
func (s *Settings) checkGiven(o *plan.Options) error {
	switch {
	case !o.Given():
		return nil
	case s.Fault != "" || s.Output.pprof || s.Output.anatomy != "" || s.Profiles.OfServer():
		return errors.New("-fault, -pprof, -anatomy and profiles of the server need a server that this process starts: leave them or -server out")
	case s.Machines.apart():
		return errors.New("-server is a server that is running already, and needs neither -serve nor -host")
	}
	return nil
}

// checkServing refuses settings that are for the other side of -serve.
func (s *Settings) checkServing() error {
	if err := s.Machines.check(); err != nil {
		return err
	}
	if s.Machines.Serve && s.Machines.Alone == "" && s.certificates.dir != "" {
		return errors.New("-certs: the clients of -serve send theirs")
	}
	return nil
}

// checkHost refuses settings that do not go with servers on another machine.
func (s *Settings) checkHost(o *plan.Options) error {
	switch {
	case s.Machines.Host == "":
		return nil
	case s.Placement.pin != "auto" && s.Placement.pin != "off":
		return fmt.Errorf("-pin=%s: with -host the servers are pinned by -serve -pin, and the client by taskset", s.Placement.pin)
	case o.AnyNetwork(plan.Network.Places):
		return errors.New("-net: with -host there is a network between client and server: leave one out")
	case s.Output.pprof:
		return errors.New("-pprof: with -host take -server-cpuprofile and the like, which come from the other machine")
	case s.Servers.PoolWorkers > 0:
		return fmt.Errorf("-pool-workers=%d: with -host it is an option of -serve", s.Servers.PoolWorkers)
	}
	return s.Servers.Work.CheckRemote()
}

// checkCores refuses what places servers otherwise than -cores.
func (s *Settings) checkCores(o *plan.Options) error {
	switch {
	case len(o.Cores.Values) == 0:
		return nil
	case s.Machines.apart():
		return fmt.Errorf("-cores=%v: the cores of servers on another machine are those of its -serve -pin: leave it or -host and -serve out", &o.Cores)
	case s.Placement.pin != "auto":
		return fmt.Errorf("-cores=%v -pin=%s: -cores pins servers and client by itself: leave one out", &o.Cores, s.Placement.pin)
	}
	return nil
}

// output says what is told of a run beside its lines.
type output struct {
	Detail  bool
	Strict  bool
	results string // directory of the records; "" for none
	anatomy string // directory of records with profiles of both sides; "" for none
	pprof   bool
}

func (o *output) register(fs *flag.FlagSet) {
	fs.BoolVar(&o.Detail, "detail", false, "also report minimum, mean, maximum, service times, counts, memory and soft interrupts")
	fs.StringVar(&o.results, "results", "", "`directory` for a record of each line, with its histograms, for benchreport")
	fs.StringVar(&o.anatomy, "anatomy", "", "`directory` for CPU profiles of both sides of each line, for benchanatomy")
	fs.BoolVar(&o.Strict, "strict", false, "exit with 1 when a result should not be trusted")
	fs.BoolVar(&o.pprof, "pprof", false, "print where each server answers net/http/pprof")
}

// checkAnatomy refuses cases of several servers, of which one would be profiled.
func (o *output) checkAnatomy(p *plan.Plan) error {
	for _, c := range p.Selected() {
		if o.anatomy != "" && c.Servers > 1 {
			return fmt.Errorf("-anatomy: %s has %d servers, and a profile is of one", c.Name(), c.Servers)
		}
	}
	return nil
}

// Undisturbed returns an error for what disturbs a benchmark that measures in its own way: other
// clients, a fault or a profile. oneClient says why there is one client, "" if there may be several,
// and plain why there are neither of the others.
func (s *Settings) Undisturbed(o *plan.Options, oneClient, plain string) error {
	switch {
	case o.Clients > 1 && oneClient != "":
		return fmt.Errorf("%s: %s", o.Together(), oneClient)
	case s.Fault != "" || s.profiled():
		return errors.New(plain)
	}
	return nil
}

func (s *Settings) profiled() bool { return s.Output.anatomy != "" || s.Profiles.Wanted() }

// Unprofiled returns an error, which is why, if profiles are asked for.
func (s *Settings) Unprofiled(why string) error {
	if s.profiled() {
		return errors.New(why)
	}
	return nil
}

// A p99 takes allCalls in all rounds, and lineCalls of each line.
const (
	allCalls  = 10_000
	lineCalls = 1000
)

// P99Calls is how many calls of a line a p99 takes.
func (s *Settings) P99Calls() int {
	rounds := max(s.Rounds, 1)
	return max((allCalls+rounds-1)/rounds, lineCalls)
}
