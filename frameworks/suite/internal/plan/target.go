package plan

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
)

// Target is a variant to measure, together with the server to use: one of our
// own, or one given by -server.
type Target struct {
	framework.Variant
	Given string // host:port of a server that was running already; "" for servers of our own
	peer  string // what that server is, the optional peer=; "" for not said
}

// Place says in errors which server of which variant they are about.
func (t Target) Place() string {
	if t.Given == "" {
		return t.ID()
	}
	return t.ID() + " at " + t.Given
}

// Stack is what was put around the variant, without certificates.
func (t Target) Stack() layer.Stack { return stack.Of(t.Keys) }

// Fits returns an error that names the limit if the variant cannot carry an echo
// payload of this size.
func (t Target) Fits(size int) error {
	if t.MaxMessage > 0 && size > t.MaxMessage {
		return fmt.Errorf("a payload of %d bytes is over the largest of %s, %d bytes", size, t.ID(), t.MaxMessage)
	}
	return nil
}

// NotImplemented reports whether an error says that the server lacks what was called: by
// the framework's own error, or by the text of handler.ErrNotImplemented.
func (t Target) NotImplemented(err error) bool {
	return err != nil && (strings.Contains(err.Error(), handler.ErrNotImplemented.Error()) || t.Unknown != nil && t.Unknown(err))
}

// unserved reports whether the target's servers are the users', and none is given.
func (t Target) unserved() bool { return t.StandIn && t.Given == "" }

// placed is an example of a variant with an address.
const placed = "VARIANT@HOST:PORT, as in framework=tcp/transport=mux@127.0.0.1:7000"

// target finds the variant of a server.
func (s server) target(table []framework.Variant, c *layer.Certificates) (Target, error) {
	host, port, err := net.SplitHostPort(s.addr)
	if err != nil || port == "" {
		return Target{}, errors.New("must be " + placed)
	}
	v, err := OneVariant(table, s.keys, stack.CertificatesFor(host, c))
	return Target{Variant: v, Given: s.addr}, err
}

// SplitServed divides the value of -serve into the first keys of a variant and the address
// to listen on, which without one is any port of the loopback interface.
func SplitServed(text string) (keys string, at *net.TCPAddr, err error) {
	keys, addr, given := strings.Cut(text, "@")
	if !given {
		return keys, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, nil
	}
	host, port, err := net.SplitHostPort(addr)
	switch {
	case err != nil || port == "":
		return "", nil, errors.New("must be VARIANT or " + placed)
	case host == "":
		return "", nil, fmt.Errorf("%s has no address: write 127.0.0.1:%s, or 0.0.0.0:%[2]s for every network of this machine", addr, port)
	}
	at, err = net.ResolveTCPAddr("tcp", addr)
	return keys, at, err
}

// targets are what the options ask for, of a table of variants.
func (o *Options) targets(table []framework.Variant) (list []Target, err error) {
	for i, v := range table {
		if slices.ContainsFunc(table[:i], func(w framework.Variant) bool { return w.ID() == v.ID() }) {
			return nil, fmt.Errorf("Config.Frameworks: %s is there twice", v.ID())
		}
	}
	if len(o.Servers.Values) > 0 {
		return o.given(table)
	}
	for _, v := range table {
		if !o.wants(v.Framework) || !o.inSet(v, table) {
			continue
		}
		if v, err = secured(v, o.Certificates); err != nil {
			return nil, err
		}
		list = append(list, Target{Variant: v})
	}
	return list, nil
}

// given are the targets of -server.
func (o *Options) given(table []framework.Variant) (list []Target, err error) {
	for _, s := range o.Servers.Values {
		t, err := s.target(table, o.Certificates)
		if err != nil {
			return nil, fmt.Errorf("-server=%s: %w", s.text, err)
		}
		if slices.ContainsFunc(list, func(other Target) bool { return other.ID() == t.ID() }) {
			return nil, fmt.Errorf("-server=%s: %s has a server already; measure one after the other", s.text, t.ID())
		}
		t.peer = o.peer
		list = append(list, t)
	}
	return list, nil
}
