package server

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/proxy"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Networks holds the links, proxies and sockets that this process has made between clients
// and servers.
type Networks struct {
	CPUs    cpus.Set // of lines and proxies; nil for any
	Buffers int      // bytes that TCP may keep for a connection; 0 for the system's
	Links   map[string]*link.Link
	Found   []string // what was found out of them, for the header
	folder  folder
}

// Open makes the link of a network, or tries what it needs. All servers share it.
func (n *Networks) Open(one plan.Network) (err error) {
	if one.Linked() {
		if n.Links == nil {
			n.Links = map[string]*link.Link{}
		}
		n.Links[one.Name], err = link.New(link.Config{Shape: one.Line, Begin: process.Place{CPUs: n.CPUs}.Begin, Buffers: n.Buffers})
	}
	if one.Unix {
		_, err = n.Socket()
	}
	if one.Program != "" {
		err = n.tryProgram(one)
	}
	return err
}

// tryProgram tries the program of a network, and notes its version.
func (n *Networks) tryProgram(one plan.Network) error {
	dir, err := n.folder.below()
	if err != nil {
		return err
	}
	if err := proxy.Try(proxy.Config{Program: one.Program, Dir: dir}); err != nil {
		return err
	}
	version, err := proxy.Version(one.Program)
	n.Found = append(n.Found, fmt.Sprintf("net=%s: %s, which passes TCP on, in one process that uses one CPU", one.Name, foreign.Line(version)))
	return err
}

// StartProxy starts what a network has between the load and a server.
func (n *Networks) StartProxy(one plan.Network, server string) (*proxy.Proxy, error) {
	dir, err := n.folder.below()
	if err != nil {
		return nil, err
	}
	return proxy.Start(proxy.Config{Program: one.Program, Server: server, Dir: dir, CPUs: n.CPUs})
}

// Socket returns the path of a new Unix socket.
func (n *Networks) Socket() (string, error) { return n.folder.socket() }

// Close removes all of them.
func (n *Networks) Close() {
	for _, one := range n.Links {
		one.Close()
	}
	n.folder.close()
}
