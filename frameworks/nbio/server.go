package nbio

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/lesismal/nbio"
	"github.com/lesismal/nbio/logging"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
)

// stopTimeout bounds the time to stop the event loops.
const stopTimeout = time.Second

// quiet switches off nbio's log, which would mix with the results.
var quiet = sync.OnceFunc(func() { logging.SetLevel(logging.LevelNone) })

// server is a running server.
type server struct {
	addr string
	stop func() error
}

func serve(addr string) (framework.Server, error) {
	quiet()
	e := nbio.NewEngine(nbio.Config{Network: "tcp", Addrs: []string{addr}})
	e.OnData(echo)
	if err := e.Start(); err != nil {
		return nil, fmt.Errorf("nbio: %w", err)
	}
	return &server{e.Addrs[0], sync.OnceValue(func() error { return stop(e) })}, nil
}

// echo is called in the event loop of a connection. nbio keeps a copy of replies that it
// cannot send at once. The session is made here, since nbio accepts in another goroutine.
func echo(c *nbio.Conn, data []byte) {
	s, has := c.Session().(*tcp.Session)
	if !has {
		s = new(tcp.Session)
		c.SetSession(s)
	}
	if err := s.Echo(c, data); err != nil {
		c.CloseWithError(err)
	}
}

func stop(e *nbio.Engine) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return e.Shutdown(ctx)
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error { return s.stop() }
