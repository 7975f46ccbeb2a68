package rig

import (
	"errors"
	"os/exec"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// proxyStarter starts a proxy to a server that delays what it forwards.
type proxyStarter func(server string, delay time.Duration) (framework.Server, error)

var errNoProxy = errors.New("there is no Config.Proxy")

// links are the links that this process has made, by the names of their networks.
type links map[string]*link.Link

// openNetwork makes the link of a network. All servers share it.
func (r *Rig) openNetwork(n plan.Network) (err error) {
	if n.Linked() {
		begin := func(cmd *exec.Cmd) (func() error, error) { return host.BeginOn(r.pinning.Line, cmd) }
		r.links[n.Name], err = link.New(link.Config{Shape: n.Line, Begin: begin})
	}
	if n.Proxy > 0 && r.proxy == nil {
		err = errNoProxy
	}
	return err
}

func (l links) close() {
	for _, one := range l {
		one.Close()
	}
}
