// Package rig measures the cases of a plan: it starts servers, makes the load,
// reads what both sides use, and reports. It is given Settings and writes into a
// Ledger, and knows nothing of package testing beyond Bench.
package rig

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Rig is what the cases of a run are measured with.
type Rig struct {
	Settings
	Ledger  *Ledger
	options *plan.Options
	setups  map[string]string // of the workloads that were tried
	prints  bool              // the versions that servers report are printed
}

// Start starts a server of a target, in a process of its own, at the far end of
// a network's link if it has one.
func (r *Rig) Start(ctx context.Context, t plan.Target, workload string, n plan.Network) (*Server, error) {
	if t.Given != "" {
		return newServer(given{t.Given}), nil
	}
	if r.machine != nil {
		return r.startRemote(ctx, t, workload)
	}
	h, err := host.Start(ctx, host.Config{
		Serve: t.ID(), Arg: r.works.arg(workload), CPUs: r.Pinning.Server, Procs: r.serverProcs(), Link: r.links[n.Name],
	})
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	changed := r.Ledger.correct(h.Ready().Versions)
	if r.prints { // servers start in the first round of a case, when no line is half printed
		printConfig(os.Stdout, changed)
	}
	if r.Pprof {
		fmt.Printf("# server of %s: http://%s/debug/pprof/\n", t.ID(), h.Ready().Control)
	}
	return newServer(h), nil
}

// startRemote is Start on the machine of -host.
func (r *Rig) startRemote(ctx context.Context, t plan.Target, workload string) (*Server, error) {
	h, err := r.machine.Start(ctx, remote.Request{Serve: t.ID(), Workload: workload})
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	return newServer(h), nil
}

// Try makes the calls of one caller for a moment. It ends in time, whatever the
// server and the framework's client do.
func (r *Rig) Try(c plan.Case) error {
	done := make(chan error, 1)
	go func() {
		l, err := newLocal(&r.Settings, c, []string{c.Given}, 1, 1)
		if err == nil {
			l.close()
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(r.Watchdog + time.Second): // calls end by themselves, with more to tell
		return fmt.Errorf("no answer within %v", r.Watchdog)
	}
}

// tryServer tries the first case of each kind that is selected of a target, all
// at once: a server that never answers takes no longer than one. What it cannot
// do is left out of the plan, and a server that can do nothing of what was asked
// is an error.
func (r *Rig) tryServer(p *plan.Plan, t plan.Target) (failed error) {
	cases := p.Kinds(t)
	errs := make([]error, len(cases))
	var wg sync.WaitGroup
	for i, c := range cases {
		wg.Go(func() { errs[i] = r.Try(c) })
	}
	wg.Wait()
	can := len(cases) == 0
	for i, c := range cases {
		if errs[i] == nil {
			can = true
			continue
		}
		p.LeaveOutKind(c.Kind(), errs[i])
		failed = cmp.Or(failed, fmt.Errorf("%s: %w", t.Place(), errs[i]))
	}
	if can {
		return nil
	}
	return failed
}

// sides are what a probe knows of both sides.
func (r *Rig) sides() sides {
	return sides{
		cpus: r.cpus(), serverProcs: r.serverProcs(), clientProcs: clientProcs(),
		apart: r.Pinning.Pinned() || r.machine != nil, remote: r.machine != nil,
	}
}

// clientProcs is how many CPUs the load uses at most.
func clientProcs() int { return runtime.GOMAXPROCS(0) }

func (r *Rig) tellProfile(err error) {
	if err != nil {
		r.Ledger.Warn("profile of the server", err.Error())
	}
}

// Header prints the units and what stays the same for all lines.
func (r *Rig) Header(w io.Writer, absent []string) {
	io.WriteString(w, loadbench.Units)
	printConfig(w, r.Config())
	for _, why := range absent {
		fmt.Fprintf(w, "# skipped: %s\n", why)
	}
	r.prints = true
}

// Config is what stays the same for all lines.
func (r *Rig) Config() map[string]string {
	config := r.Ledger.Versions()
	if config == nil {
		config = map[string]string{}
	}
	maps.Copy(config, r.setups)
	config["go"], config["goexperiment"] = goVersion(runtime.Version())
	config["pin"] = r.Pinning.String()
	config["rate-workers"], config["rate-arrivals"] = strconv.Itoa(r.options.Workers), r.options.Arrivals
	config["client-procs"] = strconv.Itoa(clientProcs())
	config["clients"] = strconv.Itoa(r.clients)
	if !r.options.Given() {
		config["server-procs"] = strconv.Itoa(r.serverProcs())
	}
	if r.machine != nil {
		config["server-machine"] = r.machine.About().System
		if differ := r.differences(); differ != "" {
			config["versions-differ"] = differ
		}
	}
	return config
}

// differences lists the versions that are not the same on both machines; ""
// for none.
func (r *Rig) differences() string {
	about := r.machine.About()
	return differences(r.Ledger.Versions(), about.Versions, about.GoVersion)
}

// goVersion splits the toolchain's version from its experiments, as in
// "go1.26.8-X:jsonv2"; older ones have a space there.
func goVersion(toolchain string) (version, experiments string) {
	version, experiments, found := strings.Cut(toolchain, "X:")
	if !found {
		experiments = "none"
	}
	return strings.TrimRight(version, " -"), experiments
}
