package suite

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/rpcbench/rpcbench/loadgen"
)

// profiles are files for profiles of the server over the measured window, by
// the kinds of host.StartProfile.
type profiles map[string]*string

var profileFlags = []struct{ name, kind, what string }{
	{"server-cpuprofile", "cpu", "a CPU profile"},
	{"server-memprofile", "allocs", "an allocation profile"},
	{"server-blockprofile", "block", "a profile of blocking"},
	{"server-mutexprofile", "mutex", "a profile of mutex contention"},
	{"server-trace", "trace", "an execution trace"},
}

func (p *profiles) register(fs *flag.FlagSet) {
	*p = profiles{}
	for _, f := range profileFlags {
		(*p)[f.kind] = fs.String(f.name, "", "write "+f.what+" of the server, over the calls of the one case that -bench selects, to this file")
	}
}

func (p profiles) wanted() bool {
	for _, file := range p {
		if *file != "" {
			return true
		}
	}
	return false
}

// check wants one case: a file has room for no more.
func (p profiles) check(cases []string) error {
	if p.wanted() && len(cases) != 1 {
		return fmt.Errorf("a profile of the server is of one case, and -bench selects %d: add keys, as in -bench '^%s$'", len(cases), cases[0])
	}
	return nil
}

// during takes the profiles of a server during the run of cfg. Of the rounds of
// a benchmark the last one stays.
func (p profiles) during(cfg *loadgen.Config, s server) {
	started, stopped := cfg.Started, cfg.Stopped
	cfg.Started = func() {
		for kind, file := range p {
			if *file != "" {
				say(s.StartProfile(context.Background(), kind))
			}
		}
		started()
	}
	cfg.Stopped = func() {
		stopped()
		for kind, file := range p {
			if *file != "" {
				say(p.write(s, kind, *file))
			}
		}
	}
}

func (p profiles) write(s server, kind, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return s.StopProfile(context.Background(), kind, f)
}

// say prints what went wrong with a profile, which is no reason to lose a line.
func say(err error) {
	if err != nil {
		env.note(env.warned, "profile of the server", err.Error())
	}
}
