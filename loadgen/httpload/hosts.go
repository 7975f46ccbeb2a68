package httpload

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/probe"
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
var ErrCertificate = probe.ErrCertificate

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
func (h *hosts) connect(ctx context.Context, config *tls.Config, http2 bool) error {
	errs := make([]error, len(h.list))
	room := make(chan struct{}, maxAtOnce)
	var all sync.WaitGroup
	for i, one := range h.list {
		all.Go(func() {
			room <- struct{}{}
			errs[i] = one.connect(ctx, config, http2)
			<-room
		})
	}
	all.Wait()
	return cmp.Or(errs...)
}

// connectTime is how long a server may take to accept a connection.
const connectTime = 10 * time.Second

func (h *host) connect(ctx context.Context, config *tls.Config, http2 bool) error {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	if !h.secure {
		config = nil
	}
	if err := probe.Server(ctx, h.address, config, http2); err != nil {
		return fmt.Errorf("httpload: %w", err)
	}
	return nil
}
