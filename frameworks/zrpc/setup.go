package zrpc

import (
	"fmt"
	"time"

	"github.com/zeromicro/go-zero/core/conf"
	"github.com/zeromicro/go-zero/zrpc"
)

// setup says which of go-zero's middlewares calls pass.
type setup struct {
	profile, about string
	server         zrpc.ServerMiddlewaresConf
	client         zrpc.ClientMiddlewaresConf
	// sheds and limits are of middlewares that a server has by other settings.
	sheds, limits bool
	// samples has spans recorded, and counts has the server's metrics counted.
	samples, counts bool
}

const (
	// never is a threshold of the CPU that is not reached: 1000 stands for all of it.
	never = 2000
	// timeout is how long a call may take.
	timeout = time.Hour
)

// Clauses about a middleware that several setups have.
const (
	aboutStat     = "Stat makes JSON of every request, although its log is off, and keeps 32 bytes of each call for up to a minute"
	aboutShedding = "the threshold of load shedding, 90 % of the CPU, is lifted, because shed calls are errors"
	aboutTimeout  = "timeouts are an hour instead of 2 s; the server's calls a handler in another goroutine"
	aboutSampled  = "every call is sampled, the default of a block Telemetry, and nothing exports the spans"
	aboutCounted  = "the server counts, as with a block DevServer; the client does not"
)

var (
	onServers = zrpc.ServerMiddlewaresConf{Trace: true, Recover: true, Stat: true, Prometheus: true, Breaker: true}
	onClients = zrpc.ClientMiddlewaresConf{Trace: true, Duration: true, Prometheus: true, Breaker: true, Timeout: true}
)

// quickStart has what a configuration has that says nothing of middlewares.
var quickStart = setup{
	about: "all middlewares that are on by default; " + aboutStat + "; " + aboutShedding + "; " + aboutTimeout +
		"; a configuration without a block Telemetry samples no call, and one without DevServer counts none",
	server: onServers, client: onClients, sheds: true, limits: true,
}

// others lists the setups with other middlewares: with telemetry, none, and each alone, on the
// sides that have it.
func others() []setup {
	return []setup{
		{
			profile: "telemetry", about: "as without `profile`; " + aboutSampled + "; " + aboutCounted,
			server: onServers, client: onClients, sheds: true, limits: true, samples: true, counts: true,
		},
		{profile: "bare", about: "no middleware"},
		{
			profile: "only-trace", about: "the tracing of both sides alone; " + aboutSampled, samples: true,
			server: zrpc.ServerMiddlewaresConf{Trace: true}, client: zrpc.ClientMiddlewaresConf{Trace: true},
		},
		{
			profile: "only-prometheus", about: "the metrics of both sides alone; " + aboutCounted, counts: true,
			server: zrpc.ServerMiddlewaresConf{Prometheus: true}, client: zrpc.ClientMiddlewaresConf{Prometheus: true},
		},
		{
			profile: "only-breaker", about: "the circuit breakers of both sides alone",
			server: zrpc.ServerMiddlewaresConf{Breaker: true}, client: zrpc.ClientMiddlewaresConf{Breaker: true},
		},
		{
			profile: "only-timeout", about: "the timeouts of both sides alone; " + aboutTimeout, limits: true,
			client: zrpc.ClientMiddlewaresConf{Timeout: true},
		},
		{profile: "only-stat", about: "the server's Stat alone; " + aboutStat, server: zrpc.ServerMiddlewaresConf{Stat: true}},
		{profile: "only-shedding", about: "the server's load shedding alone; " + aboutShedding, sheds: true},
		{profile: "only-recover", about: "the server's Recover alone", server: zrpc.ServerMiddlewaresConf{Recover: true}},
		{profile: "only-duration", about: "the client's Duration alone", client: zrpc.ClientMiddlewaresConf{Duration: true}},
	}
}

// ofServer is the configuration of a server, which go-zero reads as it reads a file.
func (s setup) ofServer(addr string) (c zrpc.RpcServerConf, err error) {
	if err = conf.LoadFromYamlBytes(fmt.Appendf(nil, "Name: rpcbench\nListenOn: %s", addr), &c); err != nil {
		return c, err
	}
	c.Middlewares = s.server
	c.CpuThreshold, c.Timeout = 0, 0
	if s.sheds {
		c.CpuThreshold = never
	}
	if s.limits {
		c.Timeout = timeout.Milliseconds()
	}
	if s.samples {
		c.Telemetry.Sampler = 1
	}
	return c, nil
}

// ofClient is the configuration of a client of servers.
func (s setup) ofClient(addrs []string, b balancing) (c zrpc.RpcClientConf, err error) {
	if err = conf.FillDefault(&c); err != nil {
		return c, err
	}
	c.Endpoints, c.BalancerName = addrs, b.zrpc
	c.Middlewares, c.Timeout = s.client, timeout.Milliseconds()
	return c, nil
}
