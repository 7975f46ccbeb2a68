// Package toxiproxy puts Shopify's Toxiproxy between clients and a server. It delays
// calls on systems whose kernel cannot.
package toxiproxy

import (
	"fmt"
	"strings"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// proxy is a running proxy.
type proxy struct{ *toxiproxy.Proxy }

// Start starts a proxy to a server in this process. It delays what it forwards in
// both directions by delay, in whole milliseconds. The proxy's own work adds some
// 30 µs.
func Start(server string, delay time.Duration) (framework.Server, error) {
	if delay%time.Millisecond != 0 {
		return nil, fmt.Errorf("toxiproxy: a delay of %v; it knows whole milliseconds", delay)
	}
	quiet := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	p := toxiproxy.NewProxy(quiet, "rpcbench", "127.0.0.1:0", server)
	for _, way := range []string{"upstream", "downstream"} {
		toxic := fmt.Sprintf(`{"type": "latency", "stream": %q, "attributes": {"latency": %d}}`, way, delay.Milliseconds())
		if _, err := p.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
			return nil, fmt.Errorf("toxiproxy: %w", err)
		}
	}
	if err := p.Start(); err != nil {
		return nil, fmt.Errorf("toxiproxy: %w", err)
	}
	return proxy{p}, nil
}

// Addr implements framework.Server.
func (p proxy) Addr() string { return p.Listen }

// Close implements framework.Server.
func (p proxy) Close() error {
	p.Stop()
	return nil
}
