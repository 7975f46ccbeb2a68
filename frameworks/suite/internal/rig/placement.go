package rig

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/cpus"
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

// both returns the CPUs of both sides.
func (p *placement) both() cpus.Set {
	if p.Pinning.Pinned() {
		return slices.Concat(p.Pinning.Server, p.Pinning.Client)
	}
	return p.Available
}

// serverProcs returns the GOMAXPROCS of servers on this machine, which is found in the same
// way as that of the client: by the environment, else by the CPUs of their side. Sides that
// are not pinned have what the runtime chose for this process, which knows of quotas.
func (p *placement) serverProcs() int {
	asked, _ := strconv.Atoi(os.Getenv("GOMAXPROCS")) // the runtime ignores what is no number as well
	switch {
	case asked > 0:
		return asked
	case p.Pinning.Pinned():
		return len(p.Pinning.Server)
	}
	return p.procs
}

// pinSelf pins the client to its CPUs; cpu is the value of -test.cpu.
func (p *placement) pinSelf(cpu string) error {
	if !p.Pinning.Pinned() {
		return nil
	}
	if cpu != "" {
		return fmt.Errorf("-cpu=%s: the client is pinned and has as many procs as CPUs; add -pin=off to use -cpu", cpu)
	}
	return cpus.PinSelf(p.Pinning.Client)
}
