package host

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/link"
)

// What a zero of Config stands for.
const (
	defaultStartTimeout   = 30 * time.Second
	defaultControlTimeout = 30 * time.Second
)

// Config says what to start and where. Only Serve must be set.
type Config struct {
	// Serve is what the child serves: what Serving returns there.
	Serve string
	// File is the executable of the child, whose main must call host.Serve. "" stands for the
	// executable of this process.
	File string
	// Arg is passed to start in the child. It may hold a password: no message
	// contains it, and processes that the child starts do not inherit it.
	Arg string
	// Listen is the IP address on which the child's server listens, or the path of the
	// Unix socket, see ListenAddr; "" stands for 127.0.0.1. Figures and profiles stay on
	// the loopback interface.
	Listen string
	// Port is the port on which the child's server listens, for one that comes back
	// where it was; 0 stands for any free one.
	Port int
	// NotBefore is the earliest time at which the child starts its server; the child
	// is otherwise ready by then. Zero stands for at once.
	NotBefore time.Time
	// Addrs is at how many addresses the child's server should listen, see Addrs; 0
	// stands for 1. A client has ports for about 28,000 connections to one address.
	Addrs int
	// CPUs are the CPUs that the child may use; if empty, those of this process.
	CPUs cpus.Set
	// Procs is the child's GOMAXPROCS. With 0 the runtime sets it from the CPUs
	// that the child may use; this process's GOMAXPROCS has no influence.
	Procs int
	// Link has the child run at the far end of a link. Server and control server
	// listen there, and Listen is ignored. With nil the child shares the network
	// of this process.
	Link *link.Link
	// Output is given all that the child prints as well; nil for nothing.
	Output io.Writer
	// StartTimeout bounds the time until the child is ready; 0 stands for 30 s.
	StartTimeout time.Duration
	// ControlTimeout bounds every control call; 0 stands for 30 s, which suits
	// busy machines too.
	ControlTimeout time.Duration
}

func (c Config) check() error {
	switch id := Serving(); {
	case id != "":
		return fmt.Errorf("host: this process was itself started to serve %q: its TestMain must call host.Serve before it runs anything", id)
	case c.Serve == "":
		return errors.New("host: Config.Serve is empty: nothing to serve")
	case c.Procs < 0:
		return fmt.Errorf("host: Config.Procs is %d; want 0 or more", c.Procs)
	case c.Port > 0 && c.Addrs > 1:
		return fmt.Errorf("host: Config.Port is %d and Config.Addrs is %d; one port is one address", c.Port, c.Addrs)
	case isPath(c.Listen) && (c.Port > 0 || c.Addrs > 1):
		return fmt.Errorf("host: Config.Listen is %s, Config.Port is %d and Config.Addrs is %d; a path is one address, without a port", c.Listen, c.Port, c.Addrs)
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.StartTimeout <= 0 {
		c.StartTimeout = defaultStartTimeout
	}
	if c.ControlTimeout <= 0 {
		c.ControlTimeout = defaultControlTimeout
	}
	return c
}

// childEnv returns the environment of the child of c. It removes variables that are
// meant for this process only, such as GOMAXPROCS.
func childEnv(env []string, c Config) []string {
	env = append(
		withoutEnv(cpus.Unpinned(env), envServe, envArg, envListen, envControl, envAddrs, envPort, envNotBefore, envProcs, envSecret, EnvToken),
		envServe+"="+c.Serve)
	if c.Arg != "" {
		env = append(env, envArg+"="+c.Arg)
	}
	if c.Listen != "" {
		env = append(env, envListen+"="+c.Listen)
	}
	if c.Link != nil {
		env = append(env, envListen+"="+c.Link.FarIP(), envControl+"="+c.Link.FarIP())
	}
	if c.Addrs > 1 {
		env = append(env, envAddrs+"="+strconv.Itoa(c.Addrs))
	}
	if c.Port > 0 {
		env = append(env, envPort+"="+strconv.Itoa(c.Port))
	}
	if !c.NotBefore.IsZero() {
		env = append(env, envNotBefore+"="+strconv.FormatInt(c.NotBefore.UnixNano(), 10))
	}
	if c.Procs > 0 {
		env = append(env, envProcs+"="+strconv.Itoa(c.Procs))
	}
	return env
}

// withoutEnv returns a copy of env without the variables of these names.
func withoutEnv(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	})
}
