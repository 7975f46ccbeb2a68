// Package profile takes profiles of a server during the measured calls.
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

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/regular"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Profiles are the files for profiles of the server during the measured run, by the
// kinds of host.StartProfile.
type Profiles map[string]*string

// profileFlags are the flags of the profiles, by kind.
func profileFlags() map[string]struct{ name, what string } {
	return map[string]struct{ name, what string }{
		"cpu":    {"server-cpuprofile", "CPU profile"},
		"allocs": {"server-memprofile", "allocation profile"},
		"block":  {"server-blockprofile", "profile of blocking"},
		"mutex":  {"server-mutexprofile", "profile of mutex contention"},
		"trace":  {"server-trace", "execution trace"},
	}
}

// Register registers a flag for each kind.
func (p *Profiles) Register(fs *flag.FlagSet) {
	*p = Profiles{}
	for kind, f := range profileFlags() {
		(*p)[kind] = fs.String(f.name, "", "`file` for the "+f.what)
	}
}

// Wanted reports whether any profile is asked for.
func (p Profiles) Wanted() bool {
	for _, file := range p {
		if *file != "" {
			return true
		}
	}
	return false
}

// Check returns an error if profiles are wanted of several cases, since each profile has one
// file, or if one cannot be written there.
func (p Profiles) Check(cases []string) error {
	var wrong error
	p.each(func(kind, file string) {
		if err := writable(file); err != nil {
			wrong = fmt.Errorf("-%s: %w", profileFlags()[kind].name, err)
		}
	})
	switch {
	case wrong != nil:
		return wrong
	case !p.Wanted() || len(cases) == 1:
		return nil
	case len(cases) == 0:
		return errors.New("a profile of the server is of one case, and -bench selects none")
	}
	return fmt.Errorf("a profile of the server is of one case, and -bench selects %d: add keys, as in -bench '^%s$'", len(cases), cases[0])
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

// During takes the profiles of a server during the run of cfg. Each round of a
// benchmark overwrites the files, so the last one is kept. An error is passed to tell
// and does not end the run.
func (p Profiles) During(cfg *loadgen.Config, s server.Profiler, tell func(error)) {
	started, stopped := cfg.OnStart, cfg.OnStop
	cfg.OnStart = func() {
		p.each(func(kind, _ string) { tell(s.StartProfile(context.Background(), kind)) })
		started()
	}
	cfg.OnStop = func() {
		stopped()
		p.each(func(kind, file string) { tell(write(s, kind, file)) })
	}
}

func (p Profiles) each(do func(kind, file string)) {
	for kind, file := range p {
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
