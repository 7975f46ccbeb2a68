package rig

import (
	"cmp"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Connected is how many connections a case has, by the tables of the kernel.
type Connected struct {
	Client, server       int
	clientErr, ServerErr error // why these are not known
	lingers              bool  // connections of clients before may be open still
}

// Doubt says in which way they are not what was asked for; "" if they are, or if nobody
// knows.
func (c Connected) Doubt(asked plan.Asked) string {
	return cmp.Or(c.doubtClient(asked), c.doubtServer(asked))
}

func (c Connected) doubtClient(asked plan.Asked) string {
	why := ""
	switch n := c.Client; {
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
	return fmt.Sprintf("%d connections to the server where %v are opened: %s", c.Client, asked, why)
}

func (c Connected) doubtServer(asked plan.Asked) string {
	if n := c.server; c.ServerErr != nil || n >= asked.Least && (n <= asked.Most || c.lingers) {
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

// Connections returns the number of open connections for the line, and notes if it is not
// what was asked for. Where the system does not tell it, it is the number that the case
// may open. After calls that failed, and with a retry that hides them, any number may be
// right.
func (r *Round) Connections(failed bool) loadbench.Metric {
	found, doubt := r.connected(r.Asked(max(r.Rig.Agents.Clients, 1)), failed || r.Rig.Load.Retry.On())
	r.Stray(doubt)
	n := found.Client
	if found.clientErr != nil {
		n = r.Opens() * len(r.Running)
	}
	return loadbench.Metric{Value: float64(n), Unit: "conns"}
}

// connected reads the connections. Any number is right if loose.
func (r *Round) connected(asked plan.Asked, loose bool) (found Connected, doubt string) {
	for range connReadings {
		found = r.readConnected()
		if doubt = found.Doubt(asked); loose || doubt == "" {
			return found, ""
		}
		time.Sleep(connPause)
	}
	return found, doubt
}

func (r *Round) readConnected() (c Connected) {
	c.Client, c.clientErr = r.Load.Conns()
	c.lingers = r.StaysOpen || address.Network(r.Running[0].Addr()) == "unix"
	for _, s := range r.Running {
		n, err := s.Accepted()
		c.server, c.ServerErr = c.server+n, cmp.Or(c.ServerErr, err)
	}
	return c
}

// Stray notes in which way the connections are not what was asked for; "" if they are. It
// fails a ranked row, unless the server is a user's, which may close connections.
func (r *Round) Stray(doubt string) {
	r.Rig.Ledger.Stray(r.Bench.Name(), doubt, r.Rank == framework.Ranked && r.Running[0].Life != nil)
}
