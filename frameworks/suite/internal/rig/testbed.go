package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Testbed holds the servers and the load of one variant. They outlive a round:
// package testing calls a case's function again for every b.N. Both start when a
// case first needs them, because a partial -bench match visits many variants and
// measures few. They are closed before the next variant's start, so that its
// memory figures are its own.
type Testbed struct {
	rig       *Rig
	target    plan.Target
	id        string // of target
	network   plan.Network
	work      string // the servers' workload
	servers   []*Server
	corrupter *corrupter         // between the load and the server, for -fault=garbage
	proxies   []framework.Server // between the load and the servers, for net=proxy-1ms
	dialed    []string           // the addresses that the load is given
	load      load
	rest      string                       // the case that load was made for
	idle      int64                        // bytes that this process had resident before that, where a case asks for it
	limits    map[string]*loadgen.Capacity // what searches for capacity have found
}

// Testbed is a new one, to be closed.
func (r *Rig) Testbed() *Testbed { return &Testbed{rig: r} }

// Close stops the servers and the load.
func (t *Testbed) Close() {
	t.closeLoad()
	for _, s := range t.servers {
		s.Stop()
	}
	t.servers = nil
}

// prepare makes the servers and the load that a case needs. before is called
// when there are servers and no load yet.
func (t *Testbed) prepare(ctx context.Context, c plan.Case, before func()) (err error) {
	if id := c.ID(); t.id != id || t.network != c.Network {
		t.Close()
		t.id, t.target, t.network = id, c.Target, c.Network
	}
	if t.dead() != nil || len(t.servers) > c.Servers || t.work != c.Workload {
		t.Close()
	}
	for len(t.servers) < c.Servers {
		t.closeLoad()
		s, err := t.rig.Start(ctx, c.Target, c.Workload, c.Network)
		if err != nil {
			return err
		}
		t.work = c.Workload
		t.servers = append(t.servers, s)
	}
	if t.load != nil && t.rest == c.Rest {
		return nil
	}
	t.closeLoad()
	t.rest = c.Rest
	before()
	if t.dialed, err = t.addrs(); err != nil {
		return err
	}
	t.load, err = t.newLoad(ctx, c)
	return err
}

// newLoad makes the load of a case. On an error the returned interface is nil,
// never an interface around a nil pointer.
func (t *Testbed) newLoad(ctx context.Context, c plan.Case) (load, error) {
	s := t.rig.Settings
	if s.clients > 1 {
		return orNil(startClients(ctx, s, c, t.dialed))
	}
	return orNil(newLocal(s, c, t.dialed, c.Workers, c.Conns))
}

func orNil[L load](l L, err error) (load, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

// addrs are where the servers are reached.
func (t *Testbed) addrs() (list []string, err error) {
	for _, s := range t.servers {
		list = append(list, s.Addr())
	}
	if t.network.Proxy > 0 {
		if list, err = t.proxied(list); err != nil {
			return nil, err
		}
	}
	if t.rig.fault == faultGarbage {
		if t.corrupter, err = newCorrupter(list[0]); err != nil {
			return nil, err
		}
		list[0] = t.corrupter.addr()
	}
	return list, nil
}

// proxied are the addresses of a proxy to each server.
func (t *Testbed) proxied(servers []string) (list []string, err error) {
	if t.rig.proxy == nil {
		return nil, errNoProxy
	}
	for _, addr := range servers {
		p, err := t.rig.proxy(addr, t.network.Proxy)
		if err != nil {
			return nil, fmt.Errorf("proxy: %w", err)
		}
		t.proxies = append(t.proxies, p)
		list = append(list, p.Addr())
	}
	return list, nil
}

func (t *Testbed) closeLoad() {
	if t.load != nil {
		t.load.close()
	}
	if t.corrupter != nil {
		t.corrupter.close()
	}
	for _, p := range t.proxies {
		p.Close()
	}
	t.load, t.corrupter, t.proxies, t.rest = nil, nil, nil, ""
}

// death tells whether a server has died, and what it said last. Calls fail a
// moment before the end of the process is known.
func (t *Testbed) death() error {
	if len(t.servers) == 1 {
		var ended <-chan struct{}
		if l := t.servers[0].life; l != nil {
			ended = l.Done()
		}
		select {
		case <-ended:
		case <-time.After(100 * time.Millisecond):
		}
	}
	return t.dead()
}

// dead is death without the wait.
func (t *Testbed) dead() error {
	for _, s := range t.servers {
		if err := s.Err(); err != nil {
			return err
		}
	}
	return nil
}

// giveUp closes what is left, of no use to the next case, and returns why:
// the server's death before its consequences.
func (t *Testbed) giveUp(err error) error {
	if !errors.Is(err, errStuck) { // then it was killed
		err = cmp.Or(t.death(), err)
	}
	t.Close()
	return fmt.Errorf("%s: %w", t.target.Place(), err)
}

// watch returns a watchdog for a round: it ends the run when a server has
// died, and when no call has ended for a while. Killing the servers frees the
// calls: their context cannot, since a context that can be cancelled costs
// some frameworks a slower path.
func (t *Testbed) watch(patience time.Duration) func(loadgen.Progress) error {
	stuck := watchdog(patience)
	return func(p loadgen.Progress) error {
		if err := t.dead(); err != nil {
			return err
		}
		err := stuck(p)
		if err != nil {
			for _, s := range t.servers {
				s.kill()
			}
		}
		return err
	}
}

// conns is the number of connections that are really open, or where that
// cannot be read the number that the case may open.
func (t *Testbed) conns(c plan.Case) (sum int) {
	for _, addr := range t.dialed {
		n, err := Connections(addr, t.load.pids()...)
		if err != nil {
			return c.Opens() * len(t.servers)
		}
		sum += n
	}
	return sum
}
