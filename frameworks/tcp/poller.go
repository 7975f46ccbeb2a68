package tcp

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// Poller is a server that waits for its connections by another poller than Go's, and
// echoes the frames of this package.
type Poller struct {
	Name    string   // of the framework
	About   string   // how the server is set up, in clauses
	Modules []string // the poller's
	Unix    bool     // it listens on Unix sockets as well
	Serve   func(addr string) (framework.Server, error)
}

// On lists the two forms with a poller's server and the clients of this package, so that
// the server alone differs. They have no streams, layers or windows. The form in which each
// caller has a connection is recommended.
func On(p Poller) []framework.Variant {
	conn, mux := p.with(unshared(setup{})), p.with(shared(setup{}))
	mux.Recommended = false
	return []framework.Variant{conn, mux}
}

// with returns a form with the poller's server.
func (p Poller) with(v framework.Variant) framework.Variant {
	dial := v.Dial
	v.Framework, v.Modules, v.Serve = p.Name, p.Modules, p.Serve
	v.About = p.About + "; the client and its frames are those of `tcp`"
	v.Connections.Unix, v.Streams, v.Unknown = p.Unix, false, nil
	v.Dial = func(addr string, o framework.DialOptions) (framework.Client, error) {
		c, err := dial(addr, o)
		return caller{c}, err
	}
	return v
}

// caller is a client without streams.
type caller struct{ framework.Client }
