package arpc

import (
	"sync"

	"github.com/lesismal/arpc"
	"github.com/lesismal/arpc/log"
	"github.com/lesismal/nbio/logging"
	"github.com/lesismal/nbio/taskpool"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// MaxMessage is the largest echo payload in bytes: arpc's own limit, 64 MiB
// less its header, is lifted on both sides.
const MaxMessage = 256 << 20

// maxBody leaves room for what the encoding adds to a payload: a third in
// JSON.
const maxBody = MaxMessage + MaxMessage/2

// setup is how both sides are configured.
type setup struct {
	transport, profile, pool string
	rank                     framework.Rank
	about                    string
	serve                    func(addr string, s setup, k kind) (framework.Server, error)
	modules                  []string
	streams                  bool
	both                     func(arpc.Handler)               // sets up the handler of either side; may be nil
	server                   func(arpc.Handler) (stop func()) // sets up the server's handler; may be nil
	layers                   layer.Stack
}

// with returns the setup with another number of workers.
func (s setup) with(workers int) setup {
	s.server = pool(workers+1, 1024)
	return s
}

// carries reports whether the setup has streams of a kind.
func (s setup) carries(k kind) bool { return s.streams && k.streams != "" }

// setUp configures h for one side.
func (s setup) setUp(h arpc.Handler) {
	h.SetMaxBodyLen(maxBody)
	useLayers(h, s.layers)
	if s.both != nil {
		s.both(h)
	}
}

// setUpServer configures h for a server, and returns a function that ends its workers.
func (s setup) setUpServer(h arpc.Handler, k kind) (stop func()) {
	s.setUp(h)
	k.route(h)
	if s.server == nil {
		return func() {}
	}
	return s.server(h)
}

// pool returns what sets up a handler with nbio's taskpool. Its numbers are those of
// taskpool.New, which starts a worker less than the first one. The pool of nbio 1.6.9 keeps a
// single worker once all have been busy.
func pool(most, waiting int) func(arpc.Handler) (stop func()) {
	return func(h arpc.Handler) (stop func()) {
		p := taskpool.New(most, waiting)
		h.SetAsyncExecutor(p.Go)
		return p.Stop
	}
}

// quiet turns off the logs of arpc and nbio, which go to the standard output. Their
// loggers are global, so this applies to the whole process.
var quiet = sync.OnceFunc(func() {
	log.SetLevel(log.LevelNone)
	logging.SetLevel(logging.LevelNone)
})
