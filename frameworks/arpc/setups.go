package arpc

import (
	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// What the variants say about themselves.
const (
	aboutBatched   = "reads and writes are batched, arpc's default; "
	aboutNagle     = "Nagle's algorithm is on, arpc's default, but for `profile=nodelay`: some replies wait up to 40 ms; "
	aboutGoroutine = "each request has a goroutine, arpc's default"
	aboutNBIO      = "the server runs on nbio's event loop; the client is that of `transport=net`; "
	aboutWorkers   = "SetAsyncExecutor has nbio's taskpool of at most 8192 goroutines and 1024 waiting requests"
)

var (
	onNet = setup{transport: "net", about: aboutBatched + aboutNagle + aboutGoroutine, serve: serveNet, streams: true}
	// onNBIO has the client of onNet, because nbio is made for servers with too
	// many connections for a goroutine each. It has no streams, which arpc only
	// supports on connections that it has made itself.
	onNBIO = setup{
		transport: "nbio", about: aboutNBIO + aboutGoroutine,
		serve: serveNBIO, modules: []string{"github.com/lesismal/nbio"},
	}
	// netWorkers and nbioWorkers have the numbers of workers of arpcex
	// (examples/nbio/server).
	netWorkers = setup{
		transport: "net", pool: "workers", about: aboutBatched + aboutNagle + aboutWorkers,
		serve: serveNet, modules: onNBIO.modules, server: pool(8*1024, 1024), streams: true,
	}
	nbioWorkers = setup{
		transport: "nbio", pool: "workers", about: aboutNBIO + aboutWorkers,
		serve: serveNBIO, modules: onNBIO.modules, server: pool(8*1024, 1024),
	}
	// unbatched shows the effect of batching, which is arpc's default.
	unbatched = setup{
		transport: "net-unbatched", about: "SetBatchRecv and SetBatchSend are off on both sides, so each message is a read and a write; " + aboutNagle + aboutGoroutine,
		serve: serveNet,
		both:  func(h arpc.Handler) { h.SetBatchRecv(false); h.SetBatchSend(false) },
	}
	// tuned has the one option with which arpc's author entered rpcx-benchmark
	// (arpc/server, arpc/client) and kitex-benchmark (protobuf/arpc).
	tuned = setup{
		transport: "net", profile: "tuned", rank: framework.Beside, about: aboutBatched + aboutNagle + aboutGoroutine + "; EnablePool reuses messages and their buffers on both sides",
		serve: serveNet, streams: true, both: func(h arpc.Handler) { h.EnablePool(true) },
	}
	// nodelay shows the effect of Nagle's algorithm, which arpc's own function for
	// HandleConnected turns on.
	nodelay = setup{
		transport: "net", profile: "nodelay", rank: framework.Beside, about: aboutBatched + aboutNagle + aboutGoroutine + "; HandleConnected gets an empty function on both sides, so that Nagle's algorithm stays off",
		serve: serveNet, streams: true, both: func(h arpc.Handler) { h.HandleConnected(func(*arpc.Client) {}) },
	}
)
