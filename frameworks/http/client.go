package http

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/tracing"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.MessageClient = (*client[plain.EchoMessage, plain.BenchMessage, plain.BenchMessage])(nil)

// client shares its HTTP clients among all workers.
type client[E, Q, R any] struct {
	kind   kind[E, Q, R]
	url    string
	http   []*http.Client
	conns  conns.Set // all connections of the HTTP clients
	zip    *zipper
	traced bool
	calls  *metadata.Calls // of none, if calls carry no metadata
}

func dial[E, Q, R any](addr string, s setup, k kind[E, Q, R], o framework.DialOptions) (framework.Client, error) {
	c := &client[E, Q, R]{kind: k, url: web.URL(addr, s.layers.TLS()), zip: newZipper(s.layers), traced: s.layers.Has(layer.OTel), calls: s.layers.Metadata.Calls()}
	for range s.clients(o) {
		t, err := c.transport(addr, s, o)
		c.http = append(c.http, &http.Client{Transport: t})
		if err == nil {
			err = s.Explain(c.open(len(c.http)-1, cmp.Or(o.Patience, conns.DialTimeout)))
		}
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// transport returns the transport of a setup with the layers.
func (c *client[E, Q, R]) transport(addr string, s setup, o framework.DialOptions) (http.RoundTripper, error) {
	t, err := s.RoundTripper(addr, &c.conns, s.layers.ClientTLS(o.Handshakes), o, nil)
	if err != nil {
		return nil, err
	}
	chained := sends(t, s.layers.Chain)
	if !c.traced {
		return chained, nil
	}
	return otelhttp.NewTransport(chained, otelhttp.WithTracerProvider(tracing.Provider()), otelhttp.WithPropagators(tracing.Propagator())), nil
}

// open makes a call of a worker, so that net/http opens a connection.
func (c *client[E, Q, R]) open(worker int, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.post(ctx, worker, methodEcho, c.kind.NewEcho(framework.EchoMessage{Action: handler.ActionEcho}), new(E))
}

// of returns the HTTP client of a worker's next call.
func (c *client[E, Q, R]) of(worker int) *http.Client { return c.http[worker%len(c.http)] }

// Echo implements framework.Client.
func (c *client[E, Q, R]) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return c.kind.Echo(requests, check, func(ctx context.Context, worker int, req *E) (*E, error) {
		reply := new(E)
		return reply, c.post(ctx, worker, methodEcho, req, reply)
	})
}

// Message implements framework.MessageClient.
func (c *client[E, Q, R]) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return c.kind.Message(workers, check, func(ctx context.Context, worker int, req *Q) (*R, error) {
		reply := new(R)
		return reply, c.post(ctx, worker, methodMessage, req, reply)
	})
}

// post makes a call.
func (c *client[E, Q, R]) post(ctx context.Context, worker int, method string, req, reply any) error {
	body, err := c.kind.Marshal(req)
	if err != nil {
		return err
	}
	if c.traced {
		ctx = tracing.Under(ctx)
	}
	sent := c.calls.Next()
	header := http.Header{"Content-Type": {c.kind.media}}
	send(header, sent)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+method, bytes.NewReader(c.zip.zip(header, body)))
	if err != nil {
		return err
	}
	r.Header = header
	body, came, err := do(c.of(worker), r)
	if err != nil {
		return err
	}
	if err := sent.Check(metadata.Lists(came)); err != nil {
		return err
	}
	return c.kind.Unmarshal(body, reply)
}

// do sends a request and returns the body of the reply, which the transport has
// decompressed, and its headers.
func do(c *http.Client, r *http.Request) ([]byte, http.Header, error) {
	reply, err := c.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		text, err := io.ReadAll(io.LimitReader(reply.Body, mostText))
		if err == nil {
			err = &statusError{reply.StatusCode, strings.TrimSpace(string(text))}
		}
		return nil, nil, err
	}
	body, err := io.ReadAll(reply.Body)
	return body, reply.Header, err
}

// mostText is how many bytes are read of a reply that has no message: each of many calls may
// fail with a page.
const mostText = 1 << 10

// statusError is a reply that has no message.
type statusError struct {
	status int
	text   string
}

// Error implements error.
func (e *statusError) Error() string {
	return fmt.Sprintf("http: status %d: %s", e.status, e.text)
}

// CallUnknown implements framework.MethodClient.
func (c *client[E, Q, R]) CallUnknown(ctx context.Context) error {
	return c.post(ctx, 0, methodUnknown, new(E), new(E))
}

// unknown reports whether err is the ServeMux's for a path that the server does not have.
func unknown(err error) bool {
	var e *statusError
	return errors.As(err, &e) && e.status == http.StatusNotFound
}

// Close implements framework.Client.
func (c *client[E, Q, R]) Close() error {
	c.conns.Close()
	return nil
}
