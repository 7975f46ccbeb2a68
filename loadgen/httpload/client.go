package httpload

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Config describes a client. Targets must be set; the zero value of every other field is a
// good choice.
type Config struct {
	Targets *Targets
	// Header is what each request has besides its own.
	Header http.Header
	// HTTP2 sends requests over HTTP/2: with TLS if the server agrees to it (ALPN), and without
	// it from the first byte, as servers of h2c expect. The default is HTTP/1.1.
	HTTP2 bool
	// Conns is the number of connections to each server over HTTP/2, which the workers share
	// evenly. 0 stands for one. A server that limits the streams of a connection is given
	// more. Over HTTP/1.1 each call in flight has its own, and Conns must be 0.
	Conns int
	// TLS is for https. With nil the system's authorities are trusted.
	TLS *tls.Config
	// Status reports whether the status of a reply is right. With nil those from 200 to 299
	// are. Redirections are not followed.
	Status func(status int) bool
	// Check judges a whole reply that has a right status. It runs after the end of the call
	// was taken, as loadgen.Config.Check does, which is called after it. With nil bodies
	// are read and not kept.
	Check func(Reply) error
}

// Reply is what a server answered. It is valid until Check returns.
type Reply struct {
	Target int // the place of its target
	Status int
	Header http.Header
	Body   []byte // of at most 4 MiB, since each worker keeps one; the call of a longer one fails
}

// Client sends the requests of a Config, and keeps its connections from run to run.
type Client struct {
	config     Config
	workers    int // of the transports
	transports []*http.Transport
	requests   []*http.Request // of targets that are in memory
	connected  bool
}

// Get returns a client that gets a URL.
func Get(url string) (*Client, error) {
	targets, err := List(Target{URL: url})
	if err != nil {
		return nil, err
	}
	return New(Config{Targets: targets})
}

// New returns a client, which has made no connection yet.
func New(cfg Config) (*Client, error) {
	switch {
	case cfg.Targets == nil:
		return nil, errors.New("httpload: no Targets: make them by List or ReadFile")
	case cfg.Conns < 0:
		return nil, fmt.Errorf("httpload: Conns is %d: it must not be negative", cfg.Conns)
	case cfg.Conns > 0 && !cfg.HTTP2:
		return nil, errors.New("httpload: Conns is of HTTP/2: over HTTP/1.1 each call in flight has a connection of its own")
	}
	if err := checkHeader(cfg.Header); err != nil {
		return nil, fmt.Errorf("httpload: Header: %w", err)
	}
	c := &Client{config: cfg}
	if cfg.TLS == nil {
		c.config.TLS = new(tls.Config)
	}
	for _, one := range cfg.Targets.list {
		c.requests = append(c.requests, one.request(one.url, cfg.Header))
	}
	return c, nil
}

// dial makes the transports of a run, unless there are those of one with as many workers.
func (c *Client) dial(workers int) {
	if c.workers == workers {
		return
	}
	c.Close()
	c.workers, c.transports = workers, nil
	for range max(c.config.Conns, 1) {
		c.transports = append(c.transports, c.transport(workers))
	}
}

// transport makes at most as many connections to a server as there may be calls in flight. Without
// that bound it would make more, where one is given back while another is being made. It keeps
// all of them when they are idle, since one that was closed would be made again.
func (c *Client) transport(conns int) *http.Transport {
	if c.config.HTTP2 {
		conns = 1
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!c.config.HTTP2)
	protocols.SetHTTP2(c.config.HTTP2)
	protocols.SetUnencryptedHTTP2(c.config.HTTP2)
	return &http.Transport{
		DialContext:         (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:     c.config.TLS.Clone(),
		Protocols:           protocols,
		MaxIdleConnsPerHost: conns,
		MaxConnsPerHost:     conns,
		DisableCompression:  true,
	}
}

// Connect makes a connection to each server and closes it, so that a host that does not
// resolve, a port without a server, one that does not speak HTTP/2, and a certificate that is not
// trusted, [ErrCertificate], are known before a load. Each server has 10 s to accept it. Of more
// than 100 servers the first are tried. Run does the same unless Connect was called before.
func (c *Client) Connect(ctx context.Context) error {
	if err := c.config.Targets.hosts.connect(ctx, c.config.TLS, c.config.HTTP2); err != nil {
		return err
	}
	c.connected = true
	return nil
}

// Run makes the calls of a run, see loadgen.Run. If the targets have several endpoints, each has a
// Part in the Result. When ctx is over, calls in flight go on until their Timeout or the end of
// Drain. Run is a loadgen.Runner, and not for two runs at one time.
func (c *Client) Run(ctx context.Context, cfg loadgen.Config) (*loadgen.Result, error) {
	if !c.connected {
		if err := c.Connect(ctx); err != nil {
			return nil, err
		}
	}
	c.dial(cfg.Workers)
	return newRun(c, cfg.Workers).run(ctx, cfg)
}

// Close closes the connections that are idle, which all are after a run.
func (c *Client) Close() {
	for _, t := range c.transports {
		t.CloseIdleConnections()
	}
}
