package rig

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/scratch"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// proxyStarter starts a proxy to a server that delays what it forwards.
type proxyStarter func(server string, delay time.Duration) (framework.Server, error)

var errNoProxy = errors.New("there is no Config.Proxy")

// links are the links that this process has made, by the names of their networks.
type links map[string]*link.Link

// openNetwork makes the link of a network, or tries what it needs. All servers share it.
func (r *Rig) openNetwork(n plan.Network) (err error) {
	if n.Linked() {
		r.links[n.Name], err = link.New(link.Config{Shape: n.Line, Begin: process.Place{CPUs: r.pinning.Line}.Begin, Buffers: r.buffers()})
	}
	if n.Unix {
		_, err = r.scratch.socket()
	}
	if n.Program != "" {
		err = r.tryProgram(n)
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

// folder has the Unix sockets of servers and the files of proxies. It is made when the first
// is asked for.
type folder struct {
	mu   sync.Mutex
	dir  *scratch.Dir
	last int
}

// longestPath is the longest path of a Unix socket in bytes on all systems: they have room
// for 104 or 108, with a zero at the end.
const longestPath = 103

// next returns a path in it that was not used before.
func (f *folder) next() (path string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dir == nil {
		if f.dir, err = scratch.New(); err != nil {
			return "", err
		}
	}
	f.last++
	return filepath.Join(f.dir.Path, strconv.Itoa(f.last)), nil
}

// socket returns the path of a new Unix socket.
func (f *folder) socket() (string, error) {
	path, err := f.next()
	if err == nil && len(path) > longestPath {
		err = fmt.Errorf("%s is too long for the path of a socket: set TMPDIR to a shorter directory", path)
	}
	return path, err
}

// below returns a new directory in it.
func (f *folder) below() (string, error) {
	path, err := f.next()
	if err == nil {
		err = os.Mkdir(path, 0o700)
	}
	return path, err
}

func (f *folder) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dir.Close()
}

func (l links) close() {
	for _, one := range l {
		one.Close()
	}
}
