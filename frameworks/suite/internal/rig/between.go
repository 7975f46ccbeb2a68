package rig

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fault"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/proxy"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

// between is what stands between the load and the servers of a case, beside a link, which all
// cases of its network share.
type between struct {
	proxies   []*proxy.Proxy   // only for net=proxy-…
	corrupter *fault.Corrupter // only for faults that change answers
}

// open starts what a case needs, and returns the addresses at which the load reaches the
// servers.
func (b *between) open(r *Rig, c plan.Case, servers []*server.Server) (dialed []string, err error) {
	for _, s := range servers {
		addr := s.Addr()
		if c.Network.Program != "" {
			if addr, err = b.proxied(r, c.Network, addr); err != nil {
				return nil, err
			}
		}
		dialed = append(dialed, addr)
	}
	change, err := fault.Changes(r.Fault, r.Load.Requests(c, c.Workers))
	if err != nil || change == nil {
		return dialed, err
	}
	if b.corrupter, err = fault.NewCorrupter(dialed[0], c.Datagrams, change); err != nil {
		return nil, err
	}
	dialed[0] = b.corrupter.Addr()
	return dialed, nil
}

// proxied starts a proxy to a server and returns the address of the proxy.
func (b *between) proxied(r *Rig, n plan.Network, server string) (addr string, err error) {
	p, err := r.Networks.StartProxy(n, server)
	if err != nil {
		return "", fmt.Errorf("proxy: %w", err)
	}
	b.proxies = append(b.proxies, p)
	return p.Addr(), nil
}

// close ends all of it.
func (b *between) close() {
	if b.corrupter != nil {
		b.corrupter.Close()
	}
	for _, p := range b.proxies {
		p.Close()
	}
	*b = between{}
}
