// Package suite tests and measures RPC frameworks, for their authors and for those who choose
// between them: it has the conformance test that every variant must pass, and benchmarks over any
// list of variants, with each server in a process of its own.
//
// Package framework is what a framework's adapter implements. Neither imports a framework, so
// that those who import them keep their own versions.
//
// A package of benchmarks is a table of variants and this:
//
//	func TestMain(m *testing.M)          { suite.Main(m, suite.Config{Frameworks: table}) }
//	func TestConformance(t *testing.T)   { suite.Conformance(t) }
//	func TestFaults(t *testing.T)        { suite.Faults(t) }
//	func TestStorms(t *testing.T)        { suite.Storms(t) }
//	func BenchmarkEcho(b *testing.B)     { suite.Echo(b) }
//	func BenchmarkMessage(b *testing.B)  { suite.Message(b) }
//	func BenchmarkRate(b *testing.B)     { suite.Rate(b) }
//	func BenchmarkCapacity(b *testing.B) { suite.Capacity(b) }
//	func BenchmarkLoad(b *testing.B)     { suite.Load(b) }
//	func BenchmarkStall(b *testing.B)    { suite.Stall(b) }
//	func BenchmarkConn(b *testing.B)     { suite.Conn(b) }
//	func BenchmarkWorkload(b *testing.B) { suite.Workload(b) }
//	func BenchmarkCluster(b *testing.B)  { suite.Cluster(b) }
//	func BenchmarkStream(b *testing.B)   { suite.Stream(b) }
//	func BenchmarkBulk(b *testing.B)     { suite.Bulk(b) }
//	func BenchmarkIdle(b *testing.B)     { suite.Idle(b) }
//	func BenchmarkDial(b *testing.B)     { suite.Dial(b) }
//	func BenchmarkMix(b *testing.B)      { suite.Mix(b) }
//	func BenchmarkCount(b *testing.B)    { suite.Count(b) }
//
// A package may leave some out. Workload also needs Config.Workloads.
//
// The flag -bench selects cases by their keys, as package testing does, with one
// difference. A pattern that ends in $ and matches the whole name of a case leaves
// out the cases whose names go on, as by profile=tuned:
//
//	go test -bench 'Echo/framework=grpc/transport=h2/codec=protobuf/size=1KiB/conc=100$' .
package suite

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/binary"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/catalog"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/trial"
)

// Config is what Main is given.
type Config struct {
	// Frameworks is the table of variants, in the order of the output.
	Frameworks []framework.Variant
	// References are measured beside the frameworks, after them in the output.
	// Conformance leaves them out, because the package that they come from proves them.
	// The flag -references=false leaves them out of the measurements as well, for
	// rounds of several binaries that have the same references. nil for none.
	References []framework.Variant
	// Workloads are what Workload measures, in the order of the output. Main
	// registers their flags.
	Workloads []workload.Workload
	// Others are messages beside the bench message, of which the flag -msg chooses one.
	Others []Other
	// GoMod is the go.mod, embedded, of the module that holds TestMain. The
	// versions of the variants' modules are printed from it; nil for none.
	GoMod []byte
}

// Other is a message that Message sends instead of the bench message, where the flag -msg
// chooses it.
type Other struct {
	// Name is the value of the flag and of the key msg=: the Name of a message.Exchange.
	Name string
	// Frameworks makes the variants that send it. It is called once the message is chosen.
	Frameworks func() []framework.Variant
	// References makes those that are measured beside them, as Config.References are; nil for
	// none.
	References func() []framework.Variant
}

// table is what the configuration has to measure.
func (c Config) table() rig.Table {
	t := rig.Table{Frameworks: c.Frameworks, References: c.References, Workloads: c.Workloads, GoMod: c.GoMod}
	for _, o := range c.Others {
		t.Others = append(t.Others, rig.Other(o))
	}
	return t
}

// Main is the whole of a TestMain:
//
//	func TestMain(m *testing.M) { suite.Main(m, suite.Config{Frameworks: frameworks, GoMod: goMod}) }
//
// It plays the server's part when the process was started for that; else it
// reads the flags, runs tests and benchmarks, and exits: with 2 for bad input,
// before anything has run, and with 1 if a call of a benchmark failed or a server of
// -server is not there or answers wrongly. Tests that are parallel run eight at a time,
// or as many as -parallel says.
func Main(m *testing.M, c Config) {
	switch {
	case link.Serving():
		os.Exit(link.Serve())
	case host.Serving() != "":
		os.Exit(rig.Serve(c.table(), bench.All))
	}
	without, err := host.LeaveOut()
	if err != nil {
		fmt.Fprintf(os.Stderr, "rpcbench: leave variables out of the environment: %v\n", err)
		os.Exit(2)
	}
	s, err := newSession(c.table(), binary.Benchmarks(m))
	environ.Told()
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(s.help())
		os.Exit(0)
	case err != nil:
		s.tellNone(os.Stderr, err)
		fmt.Fprintf(os.Stderr, "rpcbench: %v\n", foreign.Error(err))
		os.Exit(exitCode(err))
	}
	current, s.rig.Without = s, environ.Note(without)
	switch {
	case s.flags.Settings.Machines.NewSecret != "":
		os.Exit(s.newSecret())
	case s.flags.Settings.Machines.Alone != "":
		os.Exit(s.serve())
	case s.flags.Settings.Machines.Serve:
		if err := s.rig.ServeRemote(s.plan.Targets); err != nil {
			fmt.Fprintf(os.Stderr, "rpcbench: %v\n", foreign.Error(err))
			os.Exit(2)
		}
	case s.flags.Settings.Ranks.Stays():
		os.Exit(s.stay())
	case s.rig.Ranks.Follows():
		os.Exit(s.follow())
	case s.table:
		catalog.Print(os.Stdout, s.plan.Targets)
	case s.cases:
		s.tellCases(os.Stderr)
		for _, name := range s.plan.Names() {
			fmt.Println(foreign.Line(name))
		}
	default:
		os.Exit(s.run(m))
	}
	os.Exit(0)
}

// follow is what a rank other than 0 does, which prints no results.
func (s *session) follow() (exitCode int) {
	if s.rig.Without != "" {
		fmt.Fprintln(os.Stderr, "# "+foreign.Line(s.rig.Without))
	}
	err := s.rig.Follow()
	s.rig.Close()
	if err != nil {
		fmt.Fprintf(os.Stderr, "rpcbench: %v\n", foreign.Error(err))
		return 1
	}
	return 0
}

// stay is what a rank other than 0 does that goes on with further runs.
func (s *session) stay() (exitCode int) {
	tell := func(err error) { fmt.Fprintf(os.Stderr, "rpcbench: a run ended: %v\n", foreign.Error(err)) }
	if err := s.rig.Stay(tell); err != nil {
		fmt.Fprintf(os.Stderr, "rpcbench: %v\n", foreign.Error(err))
		return 1
	}
	return 0
}

// newSecret makes the files of a new secret.
func (s *session) newSecret() (exitCode int) {
	m := &s.flags.Settings.Machines
	if err := m.WriteSecret(); err != nil {
		fmt.Fprintf(os.Stderr, "rpcbench: -new-secret=%s: %v\n", m.NewSecret, foreign.Error(err))
		return 2
	}
	fmt.Printf("rpcbench: the token and the key of serving sides are in %[1]s/servers, and what clients know of them in %[1]s/clients\n", foreign.Line(m.NewSecret))
	return 0
}

// exitCode tells a server of -server that will not do from bad input.
func exitCode(err error) int {
	if errors.As(err, new(*trial.Failure)) {
		return 1
	}
	return 2
}
