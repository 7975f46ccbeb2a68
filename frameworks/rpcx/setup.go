package rpcx

import (
	"github.com/smallnest/rpcx/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// setup is how both sides are configured.
type setup struct {
	transport, profile, pool string
	rank                     framework.Rank
	about                    string
	sharing                  framework.Sharing
	options                  []server.OptionFn
	handlers                 bool // functions are added by AddHandler instead of a service
	pooled                   bool // an XClientPool chooses the connection of each call
	layers                   layer.Stack
}

// with returns the setup with another number of workers.
func (s setup) with(workers int) setup {
	s.options = []server.OptionFn{server.WithPool(workers, poolCapacity)}
	return s
}

const aboutClient = "each connection is an XClient"

var (
	tcp      = setup{transport: "tcp", about: aboutClient}
	ownPool  = setup{transport: "tcp-xclientpool", about: "one XClientPool takes its XClients in turn", sharing: framework.Mux, pooled: true}
	handlers = setup{transport: "tcp-handler", about: aboutClient + "; AddHandler registers functions instead of a service", handlers: true}
	// workers has the numbers of workers of rpcx-benchmark (rpcx_handler/server).
	workers = setup{
		transport: "tcp", pool: "workers", about: aboutClient + "; the server has WithPool(100, 1000000)",
		options: []server.OptionFn{server.WithPool(100, poolCapacity)},
	}
	// tuned has the only option of rpcx-benchmark (rpcx/server). rpcx's own
	// comments recommend it for performance tests only.
	tuned = setup{
		transport: "tcp", profile: "tuned", rank: framework.Beside, about: aboutClient + "; AsyncWrite: the server writes each reply in a goroutine of its own",
		options: []server.OptionFn{server.WithAsyncWrite()},
	}
)

// poolCapacity is how many requests may wait for a worker.
const poolCapacity = 1_000_000
