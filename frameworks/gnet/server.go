package gnet

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/panjf2000/gnet/v2"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/tcp"
)

// stopTimeout bounds the time to stop the event loops. gnet looks twice a second whether
// they have stopped.
const stopTimeout = 2 * time.Second

// server is a running server. Its callbacks for a connection run in one event loop.
type server struct {
	gnet.BuiltinEventEngine
	booted chan bound
	addr   string
	stop   func() error
}

// bound is where an engine listens.
type bound struct {
	engine gnet.Engine
	addr   string
	err    error
}

// serve listens on addr. gnet listens before it boots, and reads afterwards.
func serve(addr string) (framework.Server, error) {
	s := &server{booted: make(chan bound, 1)}
	failed := make(chan error, 1)
	go func() {
		failed <- gnet.Run(s, address.Network(addr)+"://"+addr, gnet.WithMulticore(true), gnet.WithLogger(silent{}))
	}()
	select {
	case err := <-failed:
		return nil, fmt.Errorf("gnet: %w", err)
	case b := <-s.booted:
		s.addr = b.addr
		s.stop = sync.OnceValue(func() error { return stop(b.engine) })
		if b.err != nil {
			s.stop()
			return nil, b.err
		}
		return s, nil
	}
}

func stop(e gnet.Engine) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return e.Stop(ctx)
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error { return s.stop() }

// OnBoot implements gnet.EventHandler.
func (s *server) OnBoot(e gnet.Engine) gnet.Action {
	addr, err := addrOf(e)
	s.booted <- bound{e, addr, err}
	return gnet.None
}

// addrOf returns the address of an engine, which gnet tells only by the listener's
// descriptor.
func addrOf(e gnet.Engine) (string, error) {
	fd, err := e.Dup()
	if err != nil {
		return "", fmt.Errorf("gnet: no listener: %w", err)
	}
	file := os.NewFile(uintptr(fd), "listener")
	defer file.Close()
	l, err := net.FileListener(file)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// OnOpen implements gnet.EventHandler.
func (s *server) OnOpen(c gnet.Conn) ([]byte, gnet.Action) {
	c.SetContext(new(tcp.Session))
	return nil, gnet.None
}

// OnTraffic implements gnet.EventHandler. gnet keeps a copy of replies that it cannot send
// at once.
func (s *server) OnTraffic(c gnet.Conn) gnet.Action {
	data, err := c.Next(-1)
	if err == nil {
		err = c.Context().(*tcp.Session).Echo(c, data)
	}
	if err != nil {
		return gnet.Close
	}
	return gnet.None
}
