// Package proxy runs programs that pass on TCP connections to a server, as load balancers
// do. Each is one process that uses one CPU at most, and ends with this process, however
// this one ends. Only Linux is supported, since other systems do not end it.
package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/ports"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/tail"
)

// Config says what to start and where.
type Config struct {
	Program string   // NGINX or HAProxy
	Server  string   // host:port to which connections are passed on
	Dir     string   // an existing directory for the program's files
	CPUs    cpus.Set // on which it runs; none stand for those of this process
}

// Proxy is a running program. It listens on the loopback interface.
type Proxy struct {
	addr    string // host:port
	process *os.Process
	ended   chan struct{} // closed at the end of the process
	err     error         // why it ended, set before ended is closed
	output  tail.Tail
}

// Start starts a program, and returns when it accepts connections. Of these the server gets
// one, which is closed.
func Start(c Config) (*Proxy, error) {
	p, err := programOf(c.Program)
	if err != nil {
		return nil, err
	}
	path, err := find(p.name, os.Getenv("PATH"))
	if err != nil {
		return nil, fmt.Errorf("%w: install %s", err, p.install)
	}
	addr, err := ports.FreeAddr() // if another process takes it before the program, that fails
	if err != nil {
		return nil, err
	}
	text, err := p.config(path, addr, c)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(c.Dir, p.name+".conf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	return begin(p.command(path, file, c.Dir), addr, c.CPUs)
}

func begin(cmd *exec.Cmd, addr string, cpus cpus.Set) (*Proxy, error) {
	p := &Proxy{addr: addr, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &p.output, &p.output
	wait, err := process.Place{CPUs: cpus}.Begin(cmd)
	if err != nil {
		return nil, err
	}
	p.process = cmd.Process
	go func() {
		defer close(p.ended)
		p.err = fmt.Errorf("the proxy ended: %w; its last output: %q", cmp.Or(wait(), errEnded), p.output.String())
	}()
	if err := p.accepts(); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

var errEnded = errors.New("it has nothing more to do")

// These bound how long a program may take to accept connections.
const (
	patience = 10 * time.Second
	poll     = 2 * time.Millisecond
)

// accepts waits until the process accepts connections.
func (p *Proxy) accepts() (err error) {
	for begin := time.Now(); time.Since(begin) < patience; {
		var c net.Conn
		if c, err = net.DialTimeout("tcp", p.addr, patience); err == nil {
			return c.Close()
		}
		select {
		case <-p.ended:
			return p.err
		case <-time.After(poll):
		}
	}
	return err
}

// Addr returns the host:port on which the proxy listens.
func (p *Proxy) Addr() string { return p.addr }

// CPU returns the user and system time that the process has used so far.
func (p *Proxy) CPU() (time.Duration, error) { return process.CPU(p.process.Pid) }

// Err says why the process ended; nil while it runs.
func (p *Proxy) Err() error {
	select {
	case <-p.ended:
		return p.err
	default:
		return nil
	}
}

// Close ends the process, and with it all connections that lead through it.
func (p *Proxy) Close() error {
	_ = p.process.Kill() // fails only when it has ended
	<-p.ended
	return nil
}
