package framework

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/chain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// Layer is what production puts around a framework, on both sides.
type Layer string

// The layers. Messages are compressed both ways.
const (
	TLS13  Layer = "tls13"  // TLS 1.3, in which the client verifies the server
	MTLS   Layer = "mtls"   // TLS 1.3, in which the server verifies the client as well
	Gzip   Layer = "gzip"   // at the default level of the framework's own compressor
	Zstd   Layer = "zstd"   // at the default level
	Snappy Layer = "snappy" // in the format that the framework uses
	OTel   Layer = "otel"   // OpenTelemetry's SDK: every call is traced, and spans are discarded
)

// layers are all, in the order in which with= has them. Those of one group exclude each
// other.
func layers() []layer {
	return []layer{{TLS13, "transport"}, {MTLS, "transport"}, {Gzip, "compression"}, {Zstd, "compression"}, {Snappy, "compression"}, {OTel, "tracing"}}
}

type layer struct {
	Layer
	group string
}

// AllLayers lists the layers, in the order in which with= has them.
func AllLayers() (list []Layer) {
	for _, l := range layers() {
		list = append(list, l.Layer)
	}
	return list
}

// Stack is what a variant is given beyond itself: the layers around it, what its calls
// carry beside their messages, and how many interceptors they pass on each side. The zero
// value is nothing.
type Stack struct {
	list           []Layer
	metadata       metadata.Set
	chain          int
	server, client tls.Certificate
	authority      *x509.CertPool
	name           string // of the server in its certificate
	pem            *Certificates
}

// ReadStack reads a value of with=, layers joined by _ in any order. A stack with TLS needs
// certificates before it is used, see Certified. With an error it is the zero Stack.
func ReadStack(text string) (Stack, error) {
	var s Stack
	words := strings.Split(text, "_")
	taken := map[string]Layer{}
	for _, l := range layers() {
		switch n := occurrences(words, string(l.Layer)); {
		case n == 0:
			continue
		case n > 1:
			return Stack{}, fmt.Errorf("with=%s: %s is there twice", text, l.Layer)
		case taken[l.group] != "":
			return Stack{}, fmt.Errorf("with=%s: %s and %s exclude each other", text, taken[l.group], l.Layer)
		}
		taken[l.group], s.list = l.Layer, append(s.list, l.Layer)
	}
	for _, word := range words {
		if !slices.Contains(s.list, Layer(word)) {
			return Stack{}, fmt.Errorf("with=%s: %q is no layer; layers are %s, joined by _", text, word, strings.Join(LayerNames(AllLayers()...), ", "))
		}
	}
	return s, nil
}

// NewStack is ReadStack with certificates.
func NewStack(text string, c *Certificates) (Stack, error) {
	s, err := ReadStack(text)
	if err != nil {
		return s, err
	}
	return s.Certified(c)
}

// Certified returns the stack with certificates, which only TLS needs.
func (s Stack) Certified(c *Certificates) (Stack, error) {
	if !s.TLS() {
		return s, nil
	}
	if c == nil {
		return s, fmt.Errorf("with=%v: there are no certificates: give -certs=DIR", s)
	}
	err := s.read(c)
	return s, err
}

func occurrences(words []string, word string) (n int) {
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}

// LayerNames are the words of layers in with=.
func LayerNames(list ...Layer) (names []string) {
	for _, l := range list {
		names = append(names, string(l))
	}
	return names
}

// read reads the certificates. Those of a side that is not here may be missing.
func (s *Stack) read(c *Certificates) (err error) {
	if s.server, err = pair(c.ServerCert, c.ServerKey); err != nil {
		return fmt.Errorf("the server's certificate: %w", err)
	}
	if s.client, err = pair(c.ClientCert, c.ClientKey); err != nil {
		return fmt.Errorf("the client's certificate: %w", err)
	}
	s.authority, s.name, s.pem = x509.NewCertPool(), cmp.Or(c.Name, ServerName), c
	if !s.authority.AppendCertsFromPEM(c.Authority) {
		return errors.New("the authority's certificate: there is none in PEM")
	}
	return nil
}

func pair(cert, key []byte) (tls.Certificate, error) {
	if len(cert) == 0 && len(key) == 0 {
		return tls.Certificate{}, nil
	}
	return tls.X509KeyPair(cert, key)
}

// Certificates returns the certificates of a stack with TLS and the name of its server, for
// frameworks that read them from files; nil without TLS.
func (s Stack) Certificates() *Certificates {
	if s.pem == nil {
		return nil
	}
	c := *s.pem
	c.Name = s.name
	return &c
}

// String is the value of with=, "" for no layer. It says nothing of the rest.
func (s Stack) String() string { return strings.Join(LayerNames(s.list...), "_") }

// List lists the layers, in the order of with=.
func (s Stack) List() []Layer { return slices.Clone(s.list) }

// Has reports whether a layer is in the stack.
func (s Stack) Has(l Layer) bool { return slices.Contains(s.list, l) }

// TLS reports whether a layer of TLS is in the stack.
func (s Stack) TLS() bool { return s.Has(TLS13) || s.Has(MTLS) }

// Compression is the layer that compresses, "" for none.
func (s Stack) Compression() Layer {
	for _, l := range []Layer{Gzip, Zstd, Snappy} {
		if s.Has(l) {
			return l
		}
	}
	return ""
}

// Empty reports whether the stack has nothing.
func (s Stack) Empty() bool { return len(s.list) == 0 && s.metadata.Entries == 0 && s.chain == 0 }

// Metadata is what calls carry beside their messages.
func (s Stack) Metadata() metadata.Set { return s.metadata }

// Carrying returns the stack with other metadata.
func (s Stack) Carrying(m metadata.Set) Stack {
	s.metadata = m
	return s
}

// Chain is how many interceptors that do nothing calls pass on each side.
func (s Stack) Chain() int { return s.chain }

// Chained returns the stack with this number of interceptors, from 0 to chain.Most.
func (s Stack) Chained(n int) Stack {
	s.chain = n
	return s
}

// Keys returns k with the keys that the stack adds.
func (s Stack) Keys(k Keys) Keys {
	k.With, k.Metadata, k.Chain = s.String(), s.metadata.String(), chain.Text(s.chain)
	return k
}

// Stack returns what With, Metadata and Chain name, without certificates.
func (k Keys) Stack() Stack {
	s, _ := ReadStack(k.With) // with an error it has none
	s.metadata, _ = metadata.Read(k.Metadata)
	s.chain, _ = chain.Read(k.Chain)
	return s
}

// Certificates are what both sides of TLS need, each in PEM.
type Certificates struct {
	// Name is the name that the server's certificate has to be for; "" for ServerName. It is
	// not the address, so that a certificate serves servers at any address.
	Name                  string
	Authority             []byte // has signed the others
	ServerCert, ServerKey []byte
	ClientCert, ClientKey []byte
}

// Named returns the certificates of a server that has a name of its own.
func (c *Certificates) Named(name string) *Certificates {
	if c == nil {
		return nil
	}
	named := *c
	named.Name = name
	return &named
}

// OfClient returns what a client needs, without the key of the server; nil of nil.
func (c *Certificates) OfClient() *Certificates {
	if c == nil {
		return nil
	}
	return &Certificates{Name: c.Name, Authority: c.Authority, ClientCert: c.ClientCert, ClientKey: c.ClientKey}
}

// ServerName is the name in the certificates of servers that the suite starts.
const ServerName = "rpcbench.test"

// ServerTLS returns the configuration of a server, for these protocols of ALPN; nil if the
// stack has no TLS. Each call returns a new one. Call it once for a server: sessions are
// resumed only by the configuration that made them.
func (s Stack) ServerTLS(protocols ...string) *tls.Config {
	if !s.TLS() {
		return nil
	}
	c := &tls.Config{Certificates: []tls.Certificate{s.server}, MinVersion: tls.VersionTLS13, NextProtos: protocols}
	if s.Has(MTLS) {
		c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, s.authority
	}
	return c
}

// ClientTLS returns the configuration of a client, for these protocols of ALPN; nil if the
// stack has no TLS. Each call returns a new one. Sessions are resumed only with
// DialOptions.Handshakes.
func (s Stack) ClientTLS(o DialOptions, protocols ...string) *tls.Config {
	if !s.TLS() {
		return nil
	}
	c := &tls.Config{RootCAs: s.authority, ServerName: s.name, MinVersion: tls.VersionTLS13, NextProtos: protocols}
	if s.Has(MTLS) {
		c.Certificates = []tls.Certificate{s.client}
	}
	if o.Handshakes != nil {
		o.Handshakes.watch(c)
	}
	return c
}
