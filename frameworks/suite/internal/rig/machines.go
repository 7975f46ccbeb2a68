package rig

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// machines says which side of a run over several machines this process is. By default both
// sides are on this one.
type machines struct {
	Serve     bool   // start servers for clients on other machines, or the one that Alone names
	Alone     string // VARIANT or VARIANT@HOST:PORT of -serve; "" if it takes orders
	listen    string
	ports     string // of servers, see remote.ReadPorts
	Host      string // the machines that start the servers, with commas between; "" if this process does
	tokenFile string
	NewSecret string                   // directory for the files of a new secret; "" for none
	far       []*remote.Machine        // those of Host; empty until they are connected
	has       map[*remote.Machine]bool // those that start servers of this build
}

// defaultListen is the default of -listen. Only this machine can connect to it.
const defaultListen = "127.0.0.1:0"

func (m *machines) register(fs *flag.FlagSet) {
	fs.Var(served{m}, "serve", "start servers for a run with -host on another machine, until Ctrl-C; "+
		"or with a `=variant` one server of it, for any client: -serve=VARIANT or -serve=VARIANT@HOST:PORT; see frameworks/PROTOCOL.md")
	fs.StringVar(&m.listen, "listen", defaultListen, "`host:port` where -serve listens; beyond the loopback interface it needs a token")
	fs.StringVar(&m.ports, "ports", "", "`range` of ports at which the servers of -serve listen, as in 7001-7064; empty for any")
	fs.StringVar(&m.Host, "host", "", "`host:port` of -serve on another machine, which then runs the servers; of several, as in a:7000,b:7000, server 1 of a case is on the first, and so on in turn")
	fs.StringVar(&m.tokenFile, "token-file", "", "`file` of the token, behind which -serve writes the fingerprint of its key; -serve makes it if there is none; without it both are in "+host.EnvToken)
	fs.StringVar(&m.NewSecret, "new-secret", "", "make a token and a key, and write them into a `directory`: servers is the -token-file of each -serve, and clients that of all others")
}

// served is the flag -serve: a switch that can also have a value.
type served struct{ *machines }

// IsBoolFlag has package flag take it without a value.
func (s served) IsBoolFlag() bool { return true }

// String implements flag.Value.
func (s served) String() string {
	if s.machines == nil || s.Alone == "" {
		return strconv.FormatBool(s.machines != nil && s.Serve)
	}
	return s.Alone
}

// Set implements flag.Value.
func (s served) Set(text string) error {
	on, err := strconv.ParseBool(text)
	switch {
	case err == nil:
		s.Serve, s.Alone = on, ""
	case text == "":
		return errors.New("must be VARIANT or VARIANT@HOST:PORT; -serve alone takes orders")
	case s.Alone != "":
		return fmt.Errorf("it starts one server, and %s was given before", s.Alone)
	default:
		s.Serve, s.Alone = true, text
	}
	return nil
}

// check returns an error if a flag is for the other side, or for neither.
func (m *machines) check() error {
	switch {
	case m.Serve && m.Host != "":
		return errors.New("-serve and -host are the two sides: give one")
	case !m.Serve && m.listen != defaultListen:
		return fmt.Errorf("-listen=%s is for -serve: give both", m.listen)
	case m.ports != "" && (!m.Serve || m.Alone != ""):
		return fmt.Errorf("-ports=%s is for -serve, which takes orders: give both", m.ports)
	case !m.apart() && m.tokenFile != "":
		return fmt.Errorf("-token-file=%s is for -serve or -host: give one", m.tokenFile)
	}
	if _, err := remote.ReadPorts(m.ports); err != nil {
		return fmt.Errorf("-ports: %w", err)
	}
	return m.checkHosts()
}

// checkHosts returns an error for a machine that is not named, or named twice.
func (m *machines) checkHosts() error {
	hosts := m.hosts()
	for i, one := range hosts {
		switch {
		case one == "":
			return fmt.Errorf("-host=%s: there is nothing before or behind a comma", m.Host)
		case slices.Contains(hosts[:i], one):
			return fmt.Errorf("-host=%s: %s is given twice: one machine has all servers that it is to have anyway", m.Host, one)
		}
	}
	return nil
}

// hosts lists the machines that start the servers.
func (m *machines) hosts() []string {
	if m.Host == "" {
		return nil
	}
	return strings.Split(m.Host, ",")
}

// at is the machine of one of the servers of a case, with its number from 1.
func (m *machines) at(number int) *remote.Machine { return m.far[(number-1)%len(m.far)] }

// checkApart returns an error if two of the hosts are one serving side.
func (m *machines) checkApart() error {
	for i, one := range m.far {
		for _, before := range m.far[:i] {
			if id := one.About().ID; id != "" && id == before.About().ID {
				return fmt.Errorf("-host=%s: %s and %s are one serving side", m.Host, before.Addr(), one.Addr())
			}
		}
	}
	return nil
}

// ids tell which serving sides the hosts are, in their order.
func (m *machines) ids() (list []string) {
	for _, one := range m.far {
		list = append(list, one.About().ID)
	}
	return list
}

// checkRoom returns an error for a case whose servers have no room on a host.
func (m *machines) checkRoom(cases []plan.Case) error {
	for _, c := range cases {
		for i, one := range m.far {
			needs, room := (c.Servers-i+len(m.far)-1)/len(m.far), one.About().Room
			if room > 0 && needs > room {
				return fmt.Errorf("-host=%s: %s has room for %d servers at once, and %s needs %d there: give more hosts, a larger range of -ports to that -serve, or fewer servers", m.Host, one.Addr(), room, c.Name(), needs)
			}
		}
	}
	return nil
}

// apart reports whether client and servers have a machine each.
func (m *machines) apart() bool { return m.Serve || m.Host != "" }

// secret returns what the clients of a serving side have to know.
func (m *machines) secret() (secret remote.Secret, err error) {
	from := "-token-file"
	switch {
	case m.tokenFile == "":
		from = host.EnvToken
		secret, err = remote.ParseSecret(os.Getenv(from))
	case m.Serve:
		secret, err = remote.MakeSecret(m.tokenFile)
	default:
		secret, err = remote.ReadSecret(m.tokenFile)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return secret, err
}

// writeSecret writes the fingerprint into the file of the token. A file that cannot be
// written will do if it has the token.
func (m *machines) writeSecret(secret remote.Secret) error {
	if m.tokenFile == "" || secret.Key != "" {
		return nil
	}
	err := secret.Write(m.tokenFile)
	if err == nil {
		return nil
	}
	if _, missing := os.Stat(m.tokenFile); missing != nil {
		return fmt.Errorf("-token-file: nobody would know the token that was made: %w", err)
	}
	tellServer(fmt.Sprintf("-token-file=%s: clients need the fingerprint that is printed here behind their token, since it cannot be written into the file: %v", m.tokenFile, err))
	return nil
}

// WriteSecret makes the files of a new secret.
func (m *machines) WriteSecret() error {
	secret, err := remote.NewSecret()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(m.NewSecret, 0o700); err != nil {
		return err
	}
	servers, clients := filepath.Join(m.NewSecret, "servers"), filepath.Join(m.NewSecret, "clients")
	for _, path := range []string{servers, clients} {
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s is there already: a new secret would be of another run", path)
		}
	}
	if err := secret.Write(servers); err != nil {
		return err
	}
	return secret.Public().Write(clients)
}

func tellServer(text string) { fmt.Fprintln(os.Stderr, "rpcbench: "+foreign.Line(text)) }
