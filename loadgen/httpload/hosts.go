package httpload

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// hosts are the servers of targets.
type hosts struct{ list []host }

type host struct {
	secure  bool
	address string // with its port
}

// maxHosts bounds how many servers are looked at before a load, and how many at one time.
const (
	maxHosts  = 100
	maxAtOnce = 16
)

// ErrCertificate is what is wrong if the certificate of a server is not trusted.
var ErrCertificate = errors.New("its certificate is not trusted")

// add adds the server of a URL. It is called for each target, and hosts are few.
func (h *hosts) add(u *url.URL) {
	one := hostOf(u)
	if len(h.list) < maxHosts && !slices.Contains(h.list, one) {
		h.list = append(h.list, one)
	}
}

func hostOf(u *url.URL) host {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return host{u.Scheme == "https", net.JoinHostPort(u.Hostname(), port)}
}

// connect makes a connection to each server, and closes it.
func (h *hosts) connect(ctx context.Context, config *tls.Config) error {
	errs := make([]error, len(h.list))
	room := make(chan struct{}, maxAtOnce)
	var all sync.WaitGroup
	for i, one := range h.list {
		all.Go(func() {
			room <- struct{}{}
			errs[i] = one.connect(ctx, config)
			<-room
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// connectTime is how long a server may take to accept a connection.
const connectTime = 10 * time.Second

func (h *host) connect(ctx context.Context, config *tls.Config) error {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", h.address)
	if err != nil {
		return h.unreachable(err)
	}
	defer conn.Close()
	if !h.secure {
		return nil
	}
	config = config.Clone()
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(h.address)
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return h.insecure(err)
	}
	if len(config.NextProtos) == 1 && config.NextProtos[0] == "h2" && secure.ConnectionState().NegotiatedProtocol != "h2" {
		return fmt.Errorf("httpload: %s does not speak HTTP/2", h.address)
	}
	return nil
}

func (h *host) unreachable(err error) error {
	if _, is := errors.AsType[*net.DNSError](err); is {
		name, _, _ := net.SplitHostPort(h.address)
		return fmt.Errorf("httpload: the host %s does not resolve: %w", name, err)
	}
	return fmt.Errorf("httpload: no connection to %s: %w", h.address, err)
}

func (h *host) insecure(err error) error {
	if _, is := errors.AsType[*tls.CertificateVerificationError](err); is {
		return fmt.Errorf("httpload: %s: %w: %w", h.address, ErrCertificate, errors.Unwrap(err))
	}
	if strings.Contains(err.Error(), "no application protocol") {
		return fmt.Errorf("httpload: %s does not speak HTTP/2: %w", h.address, err)
	}
	return fmt.Errorf("httpload: no TLS with %s: %w", h.address, err)
}
