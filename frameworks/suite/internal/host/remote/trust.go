package remote

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Identity is the key of a serving side, with a certificate that the key itself has signed:
// clients know the key by its fingerprint, so that no authority has to vouch for it.
type Identity struct {
	certificate tls.Certificate
	// Fingerprint is "sha256:" and the hash of the public key.
	Fingerprint string
}

// NewIdentity makes a key.
func NewIdentity() (*Identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return identityOf(key)
}

// identityOf has a key sign its own certificate.
func identityOf(key *ecdsa.PrivateKey) (*Identity, error) {
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().AddDate(10, 0, 0)}
	raw, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, err
	}
	return &Identity{tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: leaf}, fingerprint(leaf)}, nil
}

// keyKind begins the text of a key.
const keyKind = "key:"

// key is the text of the key.
func (i *Identity) key() (string, error) {
	raw, err := x509.MarshalPKCS8PrivateKey(i.certificate.PrivateKey)
	return keyKind + base64.RawURLEncoding.EncodeToString(raw), err
}

// readIdentity reads what key returned. The errors contain nothing of it.
func readIdentity(text string) (*Identity, error) {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(text, keyKind))
	if err != nil {
		return nil, errBadKey
	}
	parsed, err := x509.ParsePKCS8PrivateKey(raw)
	key, is := parsed.(*ecdsa.PrivateKey)
	if err != nil || !is {
		return nil, errBadKey
	}
	return identityOf(key)
}

var errBadKey = fmt.Errorf("the word that begins with %s is not a key: it was cut off or changed", keyKind)

func fingerprint(c *x509.Certificate) string {
	hash := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return fingerprintKind + base64.RawURLEncoding.EncodeToString(hash[:])
}

const fingerprintKind = "sha256:"

// isFingerprint reports whether text has the form of a fingerprint.
func isFingerprint(text string) bool {
	hash, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(text, fingerprintKind))
	return err == nil && len(hash) == sha256.Size && strings.HasPrefix(text, fingerprintKind)
}

// config configures the serving side. Without session tickets each connection proves the
// key anew.
func (i *Identity) config() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{i.certificate}, MinVersion: tls.VersionTLS13, SessionTicketsDisabled: true, NextProtos: []string{"http/1.1"}}
}

// otherKey is the error of a serving side that has another key than the fingerprint says.
type otherKey struct{ got, want string }

func (e otherKey) Error() string {
	return fmt.Sprintf("its key is %s, and the fingerprint beside the token is %s: another machine answers there, or -serve was started again since the file of the token was copied", e.got, e.want)
}

// pinned is the configuration of a client. No authority vouches for the key, so the usual
// verification is off, and VerifyConnection, which runs in every handshake, compares the key
// itself. TLS 1.3 has the server prove that it holds that key. Without a fingerprint, which
// is for this machine only, any key will do.
func pinned(want string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13, InsecureSkipVerify: true, NextProtos: []string{"http/1.1"},
		VerifyConnection: func(s tls.ConnectionState) error {
			if got := fingerprint(s.PeerCertificates[0]); want != "" && got != want {
				return otherKey{got, want}
			}
			return nil
		},
	}
}

// again is the wait before a connection is tried again.
const again = 50 * time.Millisecond

// dialing is what a call and the dialing of its connection know of each other. Net/http removes
// the deadline from the context of dialing. Once it has passed, net/http says so, and not what
// dialing has met.
type dialing struct {
	until  time.Time
	closed atomic.Pointer[crowded] // by the last try, or nil
}

type dialingKey struct{}

// withDialing returns ctx with a value for dialTLS.
func withDialing(ctx context.Context) (context.Context, *dialing) {
	d := &dialing{}
	d.until, _ = ctx.Deadline()
	return context.WithValue(ctx, dialingKey{}, d), d
}

// reason returns why a call has ended that did not dial in its time, or nil.
func (d *dialing) reason(ctx context.Context) error {
	if c := d.closed.Load(); c != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return c
	}
	return nil
}

// crowded is the error of connections that are closed before they stand.
type crowded struct{ last error }

func (c *crowded) Error() string {
	return fmt.Sprintf("it closes connections before they stand, as a serving side of rpcbench (-serve) does only while strangers crowd it: %v", c.last)
}

// dialTLS connects, and tries again within the time of the call if the connection is closed
// before it stands: the serving side closes those of strangers where there are too many.
func dialTLS(ctx context.Context, addr string, config *tls.Config) (net.Conn, error) {
	d, _ := ctx.Value(dialingKey{}).(*dialing)
	ctx, cancel := context.WithDeadline(ctx, d.until)
	defer cancel()
	for ctx.Err() == nil {
		c, err := handshake(ctx, addr, config)
		switch {
		case err == nil:
			d.closed.Store(nil)
			return c, nil
		case closed(err):
			d.closed.Store(&crowded{err})
		case ctx.Err() == nil:
			return nil, explained(err)
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
		}
	}
	return nil, cmp.Or(d.reason(ctx), ctx.Err())
}

func handshake(ctx context.Context, addr string, config *tls.Config) (net.Conn, error) {
	plain, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	c := tls.Client(plain, config)
	if err := c.HandshakeContext(ctx); err != nil {
		plain.Close()
		return nil, err
	}
	return c, nil
}

// closed reports whether an error says that the other side has closed the connection.
func closed(err error) bool {
	if err != nil && strings.Contains(err.Error(), "server closed idle connection") { // net/http has no value for it
		return true
	}
	return slices.ContainsFunc(closings(), func(closing error) bool { return errors.Is(err, closing) })
}

// explained says what an error of a handshake means.
func explained(err error) error {
	switch {
	case errors.As(err, new(tls.RecordHeaderError)):
		return errors.New("no serving side of rpcbench (-serve) listens there, or one of an older version: it does not speak TLS")
	case errors.As(err, new(tls.AlertError)), strings.Contains(err.Error(), "protocol version"):
		return fmt.Errorf("no serving side of rpcbench (-serve) listens there: it does not speak TLS 1.3: %w", err)
	}
	return err
}
