package rig

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/scratch"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// proxyStarter starts a proxy to a server that delays what it forwards.
type proxyStarter func(server string, delay time.Duration) (framework.Server, error)

var errNoProxy = errors.New("there is no Config.Proxy")

// links are the links that this process has made, by the names of their networks.
type links map[string]*link.Link

// openNetwork makes the link of a network, or tries a path for its sockets. All servers share it.
func (r *Rig) openNetwork(n plan.Network) (err error) {
	if n.Linked() {
		begin := func(cmd *exec.Cmd) (func() error, error) { return host.BeginOn(r.pinning.Line, cmd) }
		r.links[n.Name], err = link.New(link.Config{Shape: n.Line, Begin: begin, Buffers: r.buffers()})
	}
	if n.Unix {
		_, err = r.sockets.next()
	}
	if n.Proxy > 0 && r.proxy == nil {
		err = errNoProxy
	}
	return err
}

// buffers is what TCP may keep for a connection, so that a window of -window is what limits
// it: the kernel counts a packet as more than twice its bytes.
func (r *Rig) buffers() (most int) {
	for _, window := range r.options.Windows.Values {
		most = max(most, 4*window)
	}
	return most
}

// socketPaths are the paths of Unix sockets. They are in a directory that is made when the
// first is asked for.
type socketPaths struct {
	mu   sync.Mutex
	dir  *scratch.Dir
	last int
}

// longestPath is the longest path of a Unix socket in bytes on all systems: they have room
// for 104 or 108, with a zero at the end.
const longestPath = 103

// next returns a path that was not used before.
func (s *socketPaths) next() (path string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == nil {
		if s.dir, err = scratch.New(); err != nil {
			return "", err
		}
	}
	s.last++
	if path = filepath.Join(s.dir.Path, strconv.Itoa(s.last)); len(path) > longestPath {
		return "", fmt.Errorf("%s is too long for the path of a socket: set TMPDIR to a shorter directory", path)
	}
	return path, nil
}

func (s *socketPaths) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dir.Close()
}

func (l links) close() {
	for _, one := range l {
		one.Close()
	}
}
