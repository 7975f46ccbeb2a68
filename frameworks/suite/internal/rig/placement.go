package rig

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// placement is on which CPUs of this machine the two sides run.
type placement struct {
	pin       string   // of -pin
	Available cpus.Set // the CPUs of this process
	Pinning   cpus.Pinning
	procs     int // GOMAXPROCS of this process at its start
}

func (p *placement) register(fs *flag.FlagSet) {
	fs.StringVar(&p.pin, "pin", "auto", "`CPUs` of server and client: auto for as many whole cores each, of one node; off; or as in 0-3/4-7, and as in 0-2/3-5/6-7 with those of the line of -net")
}

// grade decides where servers of several numbers of cores run, and says which of them share
// cores with the client.
func (p *placement) grade(o *plan.Options) (err error) {
	asked := fmt.Sprintf("-cores=%v", &o.Cores)
	if procs := os.Getenv("GOMAXPROCS"); procs != "" {
		return fmt.Errorf("%s: servers have as many procs as CPUs, and GOMAXPROCS=%s in the environment says another number: leave one out", asked, procs)
	}
	if p.Available, err = cpus.Available(); err != nil {
		return err
	}
	p.Pinning, err = cpus.Graded(o.CoreNumbers(), o.AnyNetwork(plan.Network.Waits), p.Available, cpus.ReadTopology(os.DirFS("/"), p.Available))
	if err != nil {
		return fmt.Errorf("%s: %w", asked, err)
	}
	return o.ShareCores(func(number int) bool { return p.Pinning.Grade(number).Shared })
}

// choose decides where the two sides run. They do not share this machine if apart says why;
// -pin=auto then pins neither.
func (p *placement) choose(apart string) (err error) {
	if p.Available, err = cpus.Available(); err != nil {
		return err
	}
	p.procs = runtime.GOMAXPROCS(0)
	p.Pinning, err = cpus.ParsePin(p.pin, p.Available, cpus.ReadTopology(os.DirFS("/"), p.Available))
	if p.pin == "auto" && apart != "" {
		p.Pinning = cpus.Pinning{Why: apart}
	}
	return err
}

// flag is the flag that decided it.
func (p *placement) flag() string {
	if len(p.Pinning.Grades) > 0 {
		return "-cores"
	}
	return "-pin=" + p.pin
}

// both returns the CPUs of both sides, where the server has some cores.
func (p *placement) both(c plan.Cores) cpus.Set {
	if p.Pinning.Pinned() {
		return p.server(c).Union(p.Pinning.Client)
	}
	return p.Available
}

// server returns the CPUs of a server that has some cores; none if it is not pinned.
func (p *placement) server(c plan.Cores) cpus.Set {
	if c.Number > 0 {
		return p.Pinning.Grade(c.Number).CPUs
	}
	return p.Pinning.Server
}

// serverProcs returns the GOMAXPROCS of servers on this machine, which is found in the same
// way as that of the client: by the environment, else by the CPUs of their side. Sides that
// are not pinned have what the runtime chose for this process, which knows of quotas.
func (p *placement) serverProcs(c plan.Cores) int {
	asked, _ := strconv.Atoi(os.Getenv("GOMAXPROCS")) // the runtime ignores what is no number as well
	switch {
	case asked > 0:
		return asked
	case p.Pinning.Pinned():
		return len(p.server(c))
	}
	return p.procs
}

// pinSelf pins the client to its CPUs; cpu is the value of -test.cpu.
func (p *placement) pinSelf(cpu string) error {
	if !p.Pinning.Pinned() {
		return nil
	}
	switch {
	case cpu != "" && len(p.Pinning.Grades) > 0:
		return fmt.Errorf("-cpu=%s: with -cores client and servers have as many procs as CPUs: leave one out", cpu)
	case cpu != "":
		return fmt.Errorf("-cpu=%s: the client is pinned and has as many procs as CPUs; add -pin=off to use -cpu", cpu)
	}
	return cpus.PinSelf(p.Pinning.Client)
}
