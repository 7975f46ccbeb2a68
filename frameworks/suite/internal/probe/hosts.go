package probe

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

// Hosts reads what each of several machines does during a run, of which a sum would not tell which
// of them is in the way. It is empty for one machine.
type Hosts struct {
	list []hostRead
	err  error // why something is not known
}

// hostRead is what was read of the machine of a server.
type hostRead struct {
	machine *remote.Machine
	server  *server.Server
	handled int64 // calls
	taken   remote.Taken
}

// Add adds the machine of the next server.
func (h *Hosts) Add(at *remote.Machine, s *server.Server) {
	h.list = append(h.list, hostRead{machine: at, server: s})
}

// Start is called when the calls begin.
func (h *Hosts) Start() {
	for i := range h.list {
		one := &h.list[i]
		handled, taken := h.read(*one)
		one.handled, one.taken = -handled, taken
	}
}

// Stop is called when the calls have ended.
func (h *Hosts) Stop() {
	for i := range h.list {
		one := &h.list[i]
		handled, taken := h.read(*one)
		one.handled, one.taken = one.handled+handled, remote.Taken{Taken: taken.Since(one.taken.Taken), CPUs: taken.CPUs}
	}
}

func (h *Hosts) read(one hostRead) (int64, remote.Taken) {
	handled, err := one.server.Handled(context.Background())
	taken, failed := one.machine.Taken(context.Background())
	h.err = cmp.Or(h.err, err, failed)
	return handled, taken
}

// Lacks says why hosts are not told.
func (h *Hosts) Lacks() []string {
	if h.err == nil {
		return nil
	}
	return []string{fmt.Sprintf("what each host did: %v", h.err)}
}

// Texts tell of each server which machine it was on, and what both did. used is in the order of the
// servers.
func (h *Hosts) Texts(used []Used, m load.Measured) (list []string) {
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
		soft := 100 * one.taken.Inside.Seconds() / (m.Elapsed.Seconds() * float64(max(one.taken.CPUs, 1)))
		list = append(list, fmt.Sprintf("server %d on %s: %d calls, %.1f %% of all, %v of CPU for each, %.1f MiB, soft interrupts %.1f %% of its CPUs",
			i+1, one.machine.Addr(), one.handled, share, each.Round(10*time.Nanosecond), float64(used[i].RSS)/(1<<20), soft))
	}
	return list
}
