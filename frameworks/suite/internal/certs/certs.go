// Package certs makes the certificates of both sides of TLS, and reads those of users.
package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/regular"
)

// About says what Make makes.
const About = "ECDSA P-256, made at start"

// ServerName is the name for which the certificates of servers are, those of users as well: it
// is not their address.
const ServerName = "rpcbench.test"

// validFor is longer than any run.
const validFor = 7 * 24 * time.Hour

// identity is a certificate with its key.
type identity struct {
	cert *x509.Certificate
	der  []byte
	key  *ecdsa.PrivateKey
}

// Make makes an authority, and what it has signed for a server and a client. The curve is
// the one that most servers have, and the fastest one of Go.
func Make() (*layer.Certificates, error) {
	authority, err := issue(nil, x509.Certificate{
		Subject: pkix.Name{CommonName: "rpcbench authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	if err != nil {
		return nil, err
	}
	atHome := leaf(ServerName, x509.ExtKeyUsageServerAuth)
	atHome.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback} // for those who call it by its address
	server, err := issue(&authority, atHome)
	if err != nil {
		return nil, err
	}
	client, err := issue(&authority, leaf("rpcbench client", x509.ExtKeyUsageClientAuth))
	if err != nil {
		return nil, err
	}
	c := &layer.Certificates{Name: ServerName, Authority: block("CERTIFICATE", authority.der)}
	c.ServerCert, c.ServerKey, err = server.encode()
	if err == nil {
		c.ClientCert, c.ClientKey, err = client.encode()
	}
	return c, err
}

func leaf(name string, usage x509.ExtKeyUsage) x509.Certificate {
	return x509.Certificate{
		Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{usage},
	}
}

// issue makes a key and signs the certificate for it, by its own key without an authority.
func issue(by *identity, template x509.Certificate) (i identity, err error) {
	if i.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return i, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62)); err != nil {
		return i, err
	}
	now := time.Now()
	template.NotBefore, template.NotAfter = now.Add(-validFor), now.Add(validFor) // clocks of machines differ
	i.cert = &template
	if by == nil {
		by = &i
	}
	i.der, err = x509.CreateCertificate(rand.Reader, &template, by.cert, &i.key.PublicKey, by.key)
	return i, err
}

func (i identity) encode() (cert, key []byte, err error) {
	der, err := x509.MarshalPKCS8PrivateKey(i.key)
	return block("CERTIFICATE", i.der), block("PRIVATE KEY", der), err
}

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// file is a file of a directory of certificates.
type file struct {
	name     string
	of       func(*layer.Certificates) *[]byte
	optional bool
}

func files() []file {
	return []file{
		{"ca.pem", func(c *layer.Certificates) *[]byte { return &c.Authority }, false},
		{"server.pem", func(c *layer.Certificates) *[]byte { return &c.ServerCert }, true},
		{"server-key.pem", func(c *layer.Certificates) *[]byte { return &c.ServerKey }, true},
		{"client.pem", func(c *layer.Certificates) *[]byte { return &c.ClientCert }, true},
		{"client-key.pem", func(c *layer.Certificates) *[]byte { return &c.ClientKey }, true},
	}
}

// Write writes certificates to a directory, as Read reads them.
func Write(dir string, c *layer.Certificates) error {
	for _, f := range files() {
		if err := os.WriteFile(filepath.Join(dir, f.name), *f.of(c), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Names returns the names of the files that Read reads.
func Names() (list []string) {
	for _, f := range files() {
		list = append(list, f.name)
	}
	return list
}

// mostBytes is the size of the largest file that is read. Those of all authorities of a
// system together have a quarter of a MiB.
const mostBytes = 16 << 20

// Read reads certificates of a user from a directory: server.pem and its key may be missing
// for a server that runs already, client.pem and its key without mtls.
func Read(dir string) (*layer.Certificates, error) {
	c := &layer.Certificates{Name: ServerName}
	for _, f := range files() {
		text, err := regular.ReadFile(filepath.Join(dir, f.name), mostBytes)
		if err != nil && !(f.optional && errors.Is(err, fs.ErrNotExist)) {
			return nil, fmt.Errorf("a certificate cannot be read: %w", err)
		}
		*f.of(c) = text
	}
	return c, nil
}
