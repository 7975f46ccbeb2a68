// Package profile takes profiles of both sides during the measured calls.
package profile

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime/pprof"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/regular"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Profiles are the files for profiles during the measured run.
type Profiles struct {
	server map[string]*string // by the kinds of host.StartProfile
	client string
}

// serverFlags are the flags of the profiles of the server, by kind.
func serverFlags() map[string]struct{ name, what string } {
	return map[string]struct{ name, what string }{
		"cpu":    {"server-cpuprofile", "CPU profile"},
		"allocs": {"server-memprofile", "allocation profile"},
		"block":  {"server-blockprofile", "profile of blocking"},
		"mutex":  {"server-mutexprofile", "profile of mutex contention"},
		"trace":  {"server-trace", "execution trace"},
	}
}

const clientFlag = "client-cpuprofile"

// Register registers a flag for each kind.
func (p *Profiles) Register(fs *flag.FlagSet) {
	p.server = map[string]*string{}
	for kind, f := range serverFlags() {
		p.server[kind] = fs.String(f.name, "", "`file` for the "+f.what+" of the server")
	}
	fs.StringVar(&p.client, clientFlag, "", "`file` for the CPU profile of the client, without what -cpuprofile has of the time before and after the calls")
}

// OfServer reports whether any profile of the server is asked for.
func (p Profiles) OfServer() bool {
	wanted := false
	p.each(func(string, string) { wanted = true })
	return wanted
}

// OfClient reports whether a profile of the client is asked for.
func (p Profiles) OfClient() bool { return p.client != "" }

// Wanted reports whether any profile is asked for.
func (p Profiles) Wanted() bool { return p.OfServer() || p.OfClient() }

// Check returns an error if profiles are wanted of several cases, since each profile has one
// file, or if one cannot be written there.
func (p Profiles) Check(cases []string) error {
	if err := p.checkFiles(); err != nil {
		return err
	}
	switch {
	case !p.Wanted() || len(cases) == 1:
		return nil
	case len(cases) == 0:
		return errors.New("a profile is of one case, and -bench selects none")
	}
	return fmt.Errorf("a profile is of one case, and -bench selects %d: add keys, as in -bench '^%s$', or take -anatomy, which has a file for each", len(cases), cases[0])
}

func (p Profiles) checkFiles() (wrong error) {
	check := func(name, file string) {
		if err := writable(file); err != nil {
			wrong = fmt.Errorf("-%s: %w", name, err)
		}
	}
	p.each(func(kind, file string) { check(serverFlags()[kind].name, file) })
	if p.client != "" {
		check(clientFlag, p.client)
	}
	return wrong
}

// writable returns an error for what cannot be written as a file: to write to a named pipe
// would wait until somebody reads it. A device may be /dev/null.
func writable(file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Mode()&fs.ModeDevice != 0 {
		return nil
	}
	return regular.Check(file, info, math.MaxInt64)
}

// During takes the profiles during the run of cfg: of the server s, which may be nil if none
// of it is wanted. Each round of a benchmark overwrites the files, so the last one is kept. An
// error is passed to tell and does not end the run.
func (p Profiles) During(cfg *loadgen.Config, s server.Profiler, tell func(error)) {
	started, stopped := cfg.OnStart, cfg.OnStop
	var client bytes.Buffer
	var failed error // why the client has no profile
	cfg.OnStart = func() {
		p.each(func(kind, _ string) { tell(s.StartProfile(context.Background(), kind)) })
		started()
		if p.client != "" {
			failed = ofClient(pprof.StartCPUProfile(&client))
			tell(failed)
		}
	}
	cfg.OnStop = func() {
		stopped()                            // first, since it reads what both sides have used
		if p.client != "" && failed == nil { // else -cpuprofile goes on
			pprof.StopCPUProfile()
			tell(os.WriteFile(p.client, client.Bytes(), 0o666))
		}
		p.each(func(kind, file string) { tell(write(s, kind, file)) })
	}
}

func ofClient(err error) error {
	if err != nil {
		return fmt.Errorf("of the client: %w", err)
	}
	return nil
}

func (p Profiles) each(do func(kind, file string)) {
	for kind, file := range p.server {
		if *file != "" {
			do(kind, *file)
		}
	}
}

// write ends a profile, and writes it to the file if it is complete.
func write(s server.Profiler, kind, file string) error {
	var profile bytes.Buffer
	if err := s.StopProfile(context.Background(), kind, &profile); err != nil {
		return err
	}
	return os.WriteFile(file, profile.Bytes(), 0o666)
}
