package rig

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
)

// machines says which side of a run over two machines this process is. By default both
// sides are on this one.
type machines struct {
	Serve     bool   // start servers for clients on other machines, or the one that Alone names
	Alone     string // VARIANT or VARIANT@HOST:PORT of -serve; "" if it takes orders
	listen    string
	Host      string // the machine that starts the servers; "" if this process does
	tokenFile string
	far       *remote.Machine // that of Host; nil until it is connected
}

// defaultListen is the default of -listen. Only this machine can connect to it.
const defaultListen = "127.0.0.1:0"

func (m *machines) register(fs *flag.FlagSet) {
	fs.Var(served{m}, "serve", "start servers for a run with -host on another machine, until Ctrl-C; "+
		"or with a `=variant` one server of it, for any client: -serve=VARIANT or -serve=VARIANT@HOST:PORT; see frameworks/PROTOCOL.md")
	fs.StringVar(&m.listen, "listen", defaultListen, "`host:port` where -serve listens; beyond the loopback interface it needs a token")
	fs.StringVar(&m.Host, "host", "", "`host:port` of -serve on another machine, which then runs the servers")
	fs.StringVar(&m.tokenFile, "token-file", "", "`file` of the token, behind which -serve writes the fingerprint of its key; -serve makes it if there is none; without it both are in "+host.EnvToken)
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
	case !m.apart() && m.tokenFile != "":
		return fmt.Errorf("-token-file=%s is for -serve or -host: give one", m.tokenFile)
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
	if m.tokenFile == "" {
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

func tellServer(text string) { fmt.Fprintln(os.Stderr, "rpcbench: "+foreign.Line(text)) }
