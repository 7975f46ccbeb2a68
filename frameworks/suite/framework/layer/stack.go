package layer

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// Stack is what a variant is given beyond itself. The zero Stack is nothing.
type Stack struct {
	Layers   []Layer      // around the variant, in the order of All; nil for none
	Metadata metadata.Set // what calls carry beside their messages
	Chain    int          // how many interceptors that do nothing calls pass on each side, from 0 to 100

	server, client tls.Certificate
	authority      *x509.CertPool
	name           string // of the server in its certificate
	given          *Certificates
}

// Certified returns the stack with certificates. A stack without TLS needs none, and stays as
// it is. A side that is not here may be missing from them. The error says what is wrong with
// them, or that c is nil.
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

func (s *Stack) read(c *Certificates) (err error) {
	if s.server, err = pair(c.ServerCert, c.ServerKey); err != nil {
		return fmt.Errorf("the server's certificate: %w", err)
	}
	if s.client, err = pair(c.ClientCert, c.ClientKey); err != nil {
		return fmt.Errorf("the client's certificate: %w", err)
	}
	s.authority, s.name, s.given = x509.NewCertPool(), c.Name, c
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

// Certificates returns those of a stack with TLS, for frameworks that read them from files;
// nil without TLS. They must not be changed.
func (s Stack) Certificates() *Certificates { return s.given }

// String is the value of with=, "" for no layer. It says nothing of metadata and interceptors.
func (s Stack) String() string {
	var words []string
	for _, l := range s.Layers {
		words = append(words, string(l))
	}
	return strings.Join(words, "_")
}

// Has reports whether a layer is in the stack.
func (s Stack) Has(l Layer) bool { return slices.Contains(s.Layers, l) }

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
// stack has no TLS. Each call returns a new one. h, which is that of DialOptions, counts its
// handshakes and resumes sessions; nil: they are full, and nothing counts them.
func (s Stack) ClientTLS(h *Handshakes, protocols ...string) *tls.Config {
	if !s.TLS() {
		return nil
	}
	c := &tls.Config{RootCAs: s.authority, ServerName: s.name, MinVersion: tls.VersionTLS13, NextProtos: protocols}
	if s.Has(MTLS) {
		c.Certificates = []tls.Certificate{s.client}
	}
	if h != nil {
		h.watch(c)
	}
	return c
}
