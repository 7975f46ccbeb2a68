package rig

import (
	"errors"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// proxyStarter starts a proxy to a server that delays what it forwards.
type proxyStarter func(server string, delay time.Duration) (framework.Server, error)

var errNoProxy = errors.New("there is no Config.Proxy")

// links are the links that this process has made, by the names of their networks.
type links map[string]*link.Link

// open makes the link of a network. All servers share it.
func (l links) open(n plan.Network, proxy proxyStarter) (err error) {
	if n.Linked() {
		l[n.Name], err = link.New(link.Shape{Delay: n.Line.Delay, Rate: n.Line.Rate})
	}
	if n.Proxy > 0 && proxy == nil {
		err = errNoProxy
	}
	return err
}

func (l links) close() {
	for _, one := range l {
		one.Close()
	}
}
