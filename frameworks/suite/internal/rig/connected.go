package rig

import (
	"cmp"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// connected is how many connections a case has, by the tables of the kernel.
type connected struct {
	client, server       int
	clientErr, serverErr error // why these are not known
	lingers              bool  // connections of clients before may be open still
}

// doubt says in which way they are not what was asked for; "" if they are, or if nobody
// knows.
func (c connected) doubt(asked plan.Asked) string {
	return cmp.Or(c.doubtClient(asked), c.doubtServer(asked))
}

func (c connected) doubtClient(asked plan.Asked) string {
	why := ""
	switch n := c.client; {
	case c.clientErr != nil:
		return ""
	case n == 0 && asked.Least > 0:
		why = "calls took another way, as through a proxy, or the framework had closed them"
	case n < asked.Least:
		why = "the framework opened or kept fewer"
	case n > asked.Most && !c.lingers:
		why = "the framework opened more"
	default:
		return ""
	}
	return fmt.Sprintf("%d connections to the server where %v are opened: %s", c.client, asked, why)
}

func (c connected) doubtServer(asked plan.Asked) string {
	if n := c.server; c.serverErr != nil || n >= asked.Least && (n <= asked.Most || c.lingers) {
		return ""
	}
	return fmt.Sprintf("%d connections at the server where %v are opened: something between both sides has connections of its own", c.server, asked)
}

// A number that is not what was asked for is read again: a connection may be about to
// open, and a side learns a moment later that the other has closed one.
const (
	connReadings = 20
	connPause    = 25 * time.Millisecond
)

// connections returns the number of open connections for the line, and notes if it is not
// what was asked for. Where the system does not tell it, it is the number that the case
// may open. After calls that failed, and with a retry that hides them, any number may be
// right.
func (r *round) connections(failed bool) loadbench.Metric {
	found, doubt := r.connected(r.Asked(max(r.rig.Agents.Clients, 1)), failed || r.rig.Load.Retry.on())
	r.stray(doubt)
	n := found.client
	if found.clientErr != nil {
		n = r.Opens() * len(r.servers)
	}
	return loadbench.Metric{Value: float64(n), Unit: "conns"}
}

// connected reads the connections. Any number is right if loose.
func (r *round) connected(asked plan.Asked, loose bool) (found connected, doubt string) {
	for range connReadings {
		found = r.readConnected()
		if doubt = found.doubt(asked); loose || doubt == "" {
			return found, ""
		}
		time.Sleep(connPause)
	}
	return found, doubt
}

func (r *round) readConnected() (c connected) {
	c.client, c.clientErr = r.load.conns()
	c.lingers = r.StaysOpen || framework.NetworkOf(r.servers[0].Addr()) == "unix"
	for _, s := range r.servers {
		n, err := s.accepted()
		c.server, c.serverErr = c.server+n, cmp.Or(c.serverErr, err)
	}
	return c
}

// stray notes in which way the connections are not what was asked for; "" if they are. It
// fails a ranked row, unless the server is a user's, which may close connections.
func (r *round) stray(doubt string) {
	r.rig.Ledger.stray(r.b.Name(), doubt, r.Rank == framework.Ranked && r.servers[0].life != nil)
}
