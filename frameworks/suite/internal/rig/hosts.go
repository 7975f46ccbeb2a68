package rig

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

// hosts reads what each of several machines does during a run, of which a sum would not tell which
// of them is in the way. It is empty for one machine.
type hosts struct {
	list []hostRead
	err  error // why something is not known
}

// hostRead is what was read of the machine of a server.
type hostRead struct {
	machine *remote.Machine
	server  *server.Server
	handled int64 // calls
	taken   cpus.Taken
}

// hostsOf are the machines of the round's servers, of which each has one or more.
func (r *Round) hostsOf() (h hosts) {
	if len(r.Rig.Machines.far) < 2 || len(r.Running) < 2 {
		return h
	}
	for i, s := range r.Running {
		h.list = append(h.list, hostRead{machine: r.Rig.Machines.at(i + 1), server: s})
	}
	return h
}

func (h *hosts) start() {
	for i := range h.list {
		one := &h.list[i]
		handled, taken := h.read(*one)
		one.handled, one.taken = -handled, taken
	}
}

func (h *hosts) stop() {
	for i := range h.list {
		one := &h.list[i]
		handled, taken := h.read(*one)
		one.handled, one.taken = one.handled+handled, taken.Since(one.taken)
	}
}

func (h *hosts) read(one hostRead) (int64, cpus.Taken) {
	handled, err := one.server.Handled(context.Background())
	taken, failed := one.machine.Taken(context.Background())
	h.err = cmp.Or(h.err, err, failed)
	return handled, taken
}

// lacks says why hosts are not told.
func (h *hosts) lacks() []string {
	if h.err == nil {
		return nil
	}
	return []string{fmt.Sprintf("what each host did: %v", h.err)}
}

// texts tell of each server which machine it was on, and what both did. used is in the order of the
// servers.
func (h *hosts) texts(used []probe.Used, m load.Measured) (list []string) {
	if h.err != nil || len(used) != len(h.list) {
		return nil
	}
	all := int64(0)
	for _, one := range h.list {
		all += one.handled
	}
	for i, one := range h.list {
		share := 100 * float64(one.handled) / float64(max(all, 1))
		each := used[i].CPU / time.Duration(max(one.handled, 1))
		soft := 100 * one.taken.Inside.Seconds() / (m.Elapsed.Seconds() * float64(max(one.machine.About().Procs, 1)))
		list = append(list, fmt.Sprintf("server %d on %s: %.1f %% of the calls, %v of CPU for each, %.1f MiB, soft interrupts %.1f %% of its CPUs",
			i+1, one.machine.Addr(), share, each.Round(10*time.Nanosecond), float64(used[i].RSS)/(1<<20), soft))
	}
	return list
}
