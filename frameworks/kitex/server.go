package kitex

import (
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/bytedance/gopkg/util/logger"
	"github.com/cloudwego/kitex/pkg/klog"
	"github.com/cloudwego/kitex/server"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// exitWait is how long a server that stops waits for calls under way.
const exitWait = 200 * time.Millisecond

// running is a running server.
type running struct {
	addr string
	exit chan error // closed to make Run return
	done chan error // receives what Run returned
}

func serve(addr string, s setup, k kind) (framework.Server, error) {
	quiet()
	ln, err := conns.Listen(addr)
	if err != nil {
		return nil, err
	}
	r := &running{ln.Addr().String(), make(chan error), make(chan error, 1)}
	started := make(chan struct{})
	// Kitex calls exitSignal once it serves. Its default would catch the
	// process's signals.
	exitSignal := func() <-chan error { close(started); return r.exit }
	svr := server.NewServer(slices.Concat([]server.Option{
		server.WithListener(ln),
		server.WithExitSignal(exitSignal),
		server.WithExitWaitTime(exitWait),
	}, s.server, s.serverLayers(), s.returners(), s.serverChain(), k.server)...)
	if err := k.register(svr); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	go func() { r.done <- svr.Run() }()
	select {
	case <-started:
		return r, nil
	case err := <-r.done:
		return nil, err
	}
}

// Addr implements framework.Server.
func (r *running) Addr() string { return r.addr }

// Close implements framework.Server.
func (r *running) Close() error {
	close(r.exit)
	return <-r.done
}

// quiet turns off the logs of kitex and its goroutine pool. They report starts and
// stops, each error of a handler, and the panics of a mux client whose server stops.
var quiet = sync.OnceFunc(func() {
	klog.SetOutput(io.Discard)
	logger.SetLevel(logger.LevelFatal)
})
