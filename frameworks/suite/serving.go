package suite

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
)

// checkServing refuses what -serve does nothing with.
func (s *session) checkServing() error {
	m := &s.flags.Settings.Machines
	switch {
	case !m.Serve:
		return nil
	case underGoTest() && testFlag("v") == "false":
		return errors.New("go test shows what -serve prints only with -v: add it")
	case m.Alone == "":
		return nil
	case s.benchmarking:
		return fmt.Errorf("-serve=%s serves and measures nothing: leave -bench out, or give -server=VARIANT@HOST:PORT to a second process", m.Alone)
	}
	return s.onlyOfServers()
}

// onlyOfServers returns an error for a flag that is no option of a server.
func (s *session) onlyOfServers() (err error) {
	options := append(s.flags.Settings.Servers.Work.Flags(), "serve", "pool-workers", "certs", "pin", "pprof", "references", "msg")
	instead := map[string]string{
		"listen":   "write -serve=VARIANT@HOST:PORT",
		"with":     "name it by its keys, as in framework=grpc/transport=h2/codec=protobuf/with=tls13",
		"metadata": "name it by its keys, as in framework=grpc/transport=h2/codec=protobuf/metadata=20",
		"chain":    "name it by its keys, as in framework=grpc/transport=h2/codec=protobuf/chain=5",
		"window":   "name it by its keys, as in framework=tcp/transport=conn/codec=none/window=64KiB",
	}
	flag.Visit(func(f *flag.Flag) {
		if err != nil || strings.HasPrefix(f.Name, "test.") || slices.Contains(options, f.Name) {
			return
		}
		say := instead[f.Name]
		if say == "" {
			say = "leave it out"
		}
		err = fmt.Errorf("-%s is no option of the server that -serve=%s starts: %s", f.Name, s.flags.Settings.Machines.Alone, say)
	})
	return err
}

// underGoTest reports whether go test has started this process, which passes a flag of its
// own.
func underGoTest() bool { return testFlag("paniconexit0") == "true" }

// serve is what -serve=VARIANT does.
func (s *session) serve() (exitCode int) {
	one, err := s.rig.Alone(s.plan.Targets)
	if err != nil {
		fmt.Fprintf(os.Stderr, "rpcbench: %v\n", foreign.Error(err))
		return 2
	}
	if err := s.rig.ServeAlone(one, s.tellServed); err != nil {
		fmt.Fprintf(os.Stderr, "rpcbench: %v\n", foreign.Error(err))
		return 1
	}
	return 0
}

// tellServed prints where the server is. Under go test nothing else says when that is to end.
func (s *session) tellServed(id, addr string) {
	if s.rig.Without != "" {
		fmt.Println("# " + foreign.Line(s.rig.Without))
	}
	if most := testFlag("timeout"); underGoTest() && most != "0s" {
		fmt.Printf("# go test ends it after %s: -timeout=0 has it serve for longer\n", most)
	}
	fmt.Printf("serving %s at %s; end it with Ctrl-C\n", id, addr)
}
