package suite

import (
	"context"
	"fmt"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// suites are all there are; Main lists their cases.
var suites = []*suite{echo, message, rate, capacity, sweep, stall, conn, workload, cluster, streaming, bulk}

// Echo measures a closed loop of callers that send a payload and get it back,
// for each -size and -conc:
//
//	BenchmarkEcho/framework=/transport=/codec=/size=/conc=
func Echo(b *testing.B) { echo.run(b) }

var echo = &suite{name: "Echo", linked: true, proxied: true, leaves: func(f *flags, _ target) (list []leaf) {
	for _, size := range f.sizes {
		for _, conc := range f.concs {
			l := echoLeaf(conc, size)
			l.keys = fmt.Sprintf("size=%s/conc=%d", formatSize(size), conc)
			list = append(list, l)
		}
	}
	return list
}}

// Message measures a closed loop of callers that send the bench message, 581
// bytes in protobuf, of which the server sets two fields, for each -conc:
//
//	BenchmarkMessage/framework=/transport=/codec=/conc=
//
// A Reference and a Raw variant echo as many bytes.
func Message(b *testing.B) { message.run(b) }

var message = &suite{name: "Message", linked: true, proxied: true, leaves: func(f *flags, _ target) (list []leaf) {
	for _, conc := range f.concs {
		l := echoLeaf(conc, framework.MessageSize)
		l.keys = fmt.Sprintf("conc=%d", conc)
		l.prepare = prepareMessage
		list = append(list, l)
	}
	return list
}}

// Rate measures an open loop: calls of Echo that are due at a -rate whether or
// not earlier ones have returned, and what they wait, from when they were due.
// At most -workers of them are in flight:
//
//	BenchmarkRate/framework=/transport=/codec=/size=/rate=
func Rate(b *testing.B) { rate.run(b) }

var rate = &suite{name: "Rate", linked: true, proxied: true, leaves: func(f *flags, _ target) (list []leaf) {
	for _, size := range f.sizes {
		for _, r := range f.rates {
			l := echoLeaf(f.workers, size)
			l.keys = fmt.Sprintf("size=%s/rate=%d", formatSize(size), r)
			l.schedule = f.arrivals(float64(r))
			list = append(list, l)
		}
	}
	return list
}}

// Stall shows what a closed and an open loop see of a server that stands still
// for 16 % of the time: of b.N calls at 2000/s by 10 workers, so that with
// -benchtime=10000x it stops for 0.8 of 5 s. What the slowest 1 % of users wait
// is then 750 ms at least, since 1 % of 5 s is 50 ms:
//
//	BenchmarkStall/framework=/transport=/codec=/loop=
func Stall(b *testing.B) { stall.run(b) }

const (
	stallRate    = 2000
	stallWorkers = 10
	stallSize    = 1 << 10
	stallAt      = .4  // of the run
	stallFor     = .16 // of the run
)

var stall = &suite{name: "Stall", needs: "it stops the server for a while", leaves: func(*flags, target) []leaf {
	closed := echoLeaf(stallWorkers, stallSize)
	closed.keys, closed.stalls = "loop=closed", true
	open := closed
	open.keys, open.schedule = "loop=open", loadgen.Constant(stallRate)
	return []leaf{closed, open}
}}

// Conn measures Echo by each way that a framework has to its connections, for
// each -conn, -call and -conc, with the first of -size:
//
//	BenchmarkConn/framework=/codec=/conn=/call=/conc=
//
// conn=single is one connection that all callers share, fixed is -conns of
// them, each with its callers, mux is -conns of them that the framework deals
// out, pool lends a caller one for a call, short opens one for each call.
// call=async is the framework's API that does not wait for a reply; conc then
// is the most calls in flight.
func Conn(b *testing.B) { conn.run(b) }

var conn = &suite{
	name: "Conn",
	base: func(v target) string { return "framework=" + v.Framework + "/codec=" + v.Codec },
	leaves: func(f *flags, v target) (list []leaf) {
		for _, m := range connModels(v.Sharing) {
			if !f.wantsConn(m.name) {
				continue
			}
			for _, call := range f.calls(v) {
				for _, conc := range f.concs {
					l := echoLeaf(conc, f.sizes[0])
					l.keys = fmt.Sprintf("conn=%s/call=%s/conc=%d", m.name, call, conc)
					l.conns = m.conns
					if call == callAsync {
						l.prepare = prepareAsync
					}
					list = append(list, l)
				}
			}
		}
		return list
	},
}

// Cluster measures Echo by one client of several servers that do the same, for
// each -servers and -conc, with the first of -size:
//
//	BenchmarkCluster/framework=/transport=/codec=/servers=/conc=
//
// Calls are dealt out by the framework's own load balancing, in its default
// policy; where it has none, worker by worker.
func Cluster(b *testing.B) { cluster.run(b) }

var cluster = &suite{name: "Cluster", needs: "it starts several servers", leaves: func(f *flags, _ target) (list []leaf) {
	for _, servers := range f.serverCounts {
		for _, conc := range f.concs {
			l := echoLeaf(conc, f.sizes[0])
			l.keys = fmt.Sprintf("servers=%d/conc=%d", servers, conc)
			l.servers = servers
			list = append(list, l)
		}
	}
	return list
}}

// echoLeaf is a closed loop of callers of Echo, still without keys.
func echoLeaf(workers, size int) leaf {
	return leaf{workers: workers, size: size, schedule: loadgen.ClosedLoop, prepare: prepareEcho}
}

func prepareEcho(_ context.Context, c framework.Client, l leaf) (job, error) {
	return job{call: echoCall(c, l.workers, l.size)}, nil
}

// echoCall is a call of random bytes.
func echoCall(c framework.Client, workers, size int) loadgen.Call {
	requests := echoRequests(workers, size, 1)
	return c.Echo(requests, checkEnds(requests))
}

func prepareAsync(_ context.Context, c framework.Client, l leaf) (job, error) {
	ac, err := framework.As[framework.AsyncClient](c)
	if err != nil {
		return job{}, err
	}
	requests := echoRequests(l.workers, l.size, 1)
	return job{async: ac.EchoAsync(requests, checkEnds(requests))}, nil
}

func prepareMessage(ctx context.Context, c framework.Client, l leaf) (job, error) {
	if mc, ok := c.(framework.MessageClient); ok {
		return job{call: mc.Message(l.workers, framework.CheckAnswer)}, nil
	}
	return prepareEcho(ctx, c, l)
}
