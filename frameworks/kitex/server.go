package kitex

import (
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/bytedance/gopkg/util/logger"
	"github.com/cloudwego/kitex/pkg/klog"
	"github.com/cloudwego/kitex/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// exitWait bounds what kitex waits for calls under way when it stops.
const exitWait = 200 * time.Millisecond

// running is a server whose Run was called.
type running struct {
	addr string
	exit chan error // closed to make Run return
	done chan error // receives what Run returned
}

func serve(addr string, s setup, k kind) (framework.Server, error) {
	quiet()
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	r := &running{ln.Addr().String(), make(chan error), make(chan error, 1)}
	started := make(chan struct{})
	// Kitex asks for the signal to exit by once it serves. Its default would
	// take the process's signals.
	exitSignal := func() <-chan error { close(started); return r.exit }
	svr := server.NewServer(slices.Concat([]server.Option{
		server.WithListener(ln),
		server.WithExitSignal(exitSignal),
		server.WithExitWaitTime(exitWait),
	}, s.server, k.server)...)
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

// quiet turns off the logs of kitex and its goroutine pool: starts and stops,
// each handler's error, and the panics of a mux client whose server stops.
var quiet = sync.OnceFunc(func() {
	klog.SetOutput(io.Discard)
	logger.SetLevel(logger.LevelFatal)
})
