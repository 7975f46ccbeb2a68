package rig

import (
	"context"
	"fmt"
	"net"
	"os/signal"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/certs"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
)

// alone is the server that -serve names, for clients of others.
type alone struct {
	plan.Target
	at       *net.TCPAddr
	workload string // "" for none
}

// Alone finds out which server -serve names, and whether it can be started.
func (r *Rig) Alone(all []plan.Target) (one alone, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("-serve=%s: %w", r.Machines.Alone, err)
		}
	}()
	keys, at, err := plan.SplitServed(r.Machines.Alone)
	if err != nil {
		return one, err
	}
	v, err := r.named(all, keys)
	if err != nil {
		return one, err
	}
	workload, err := r.Servers.Work.One()
	if err != nil {
		return one, err
	}
	if err := free(v, at); err != nil {
		return one, fmt.Errorf("%w: give another address, or none for any free port", err)
	}
	return alone{plan.Target{Variant: v}, at, workload}, nil
}

// free returns an error if a server cannot listen at an address. A framework may panic then, or
// only log it.
func free(v framework.Variant, at *net.TCPAddr) error {
	if v.Datagrams {
		c, err := net.ListenUDP("udp", &net.UDPAddr{IP: at.IP, Port: at.Port, Zone: at.Zone})
		if err != nil {
			return err
		}
		return c.Close()
	}
	l, err := net.ListenTCP("tcp", at)
	if err != nil {
		return err
	}
	return l.Close()
}

// named returns the variant that begins with these keys, if this process has a server of it.
func (r *Rig) named(all []plan.Target, keys string) (framework.Variant, error) {
	var table []framework.Variant
	for _, t := range all {
		table = append(table, t.Variant)
	}
	v, err := plan.OneVariant(table, keys, r.certificates.made)
	switch made := r.certificates.made; {
	case err != nil:
		return v, err
	case v.StandIn:
		return v, fmt.Errorf("%s has no server in this repository", v.Framework)
	case r.Servers.PoolWorkers > 0 && v.ServePool == nil:
		return v, fmt.Errorf("-pool-workers=%d: %s has no pool=workers", r.Servers.PoolWorkers, v.ID())
	case stack.HasTLS(v) && r.certificates.dir == "":
		return v, fmt.Errorf("its clients have to know the certificates: give -certs, a directory with %s", strings.Join(certs.Names(), ", "))
	case stack.HasTLS(v) && len(made.ServerCert) == 0:
		return v, fmt.Errorf("-certs=%s has no server.pem", r.certificates.dir)
	}
	return v, nil
}

// ServeAlone starts a server, and returns when this process is asked to end, or when the
// server has ended by itself, which is an error. tell is called once the server listens.
func (r *Rig) ServeAlone(one alone, tell func(id, addr string)) error {
	ended, cancel := signal.NotifyContext(context.Background(), host.EndSignals()...)
	defer cancel()
	ip := (&net.IPAddr{IP: one.at.IP, Zone: one.at.Zone}).String()
	s, err := r.Launch(ended, one.Target, plan.Cores{}, host.Config{Arg: r.Order(one.Variant, one.workload, 1), Listen: ip, Port: one.at.Port})
	switch {
	case ended.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	r.tellDoubts()
	tell(one.ID(), s.Addr())
	select {
	case <-ended.Done():
		return s.Stop()
	case <-s.Life.Done():
		return s.Err()
	}
}
