package trpc

import (
	"sync"

	"go.uber.org/zap"
	tnetlog "trpc.group/trpc-go/tnet/log"
	trpc "trpc.group/trpc-go/trpc-go"
	"trpc.group/trpc-go/trpc-go/log"
	trpcgo "trpc.group/trpc-go/trpc-go/server"
	"trpc.group/trpc-go/trpc-go/transport"
	"trpc.group/trpc-go/trpc-go/transport/tnet"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

const (
	// MaxMessage is the largest echo payload in bytes: tRPC-Go's own limit, 10 MiB for a
	// frame, is lifted on both sides.
	MaxMessage = 256 << 20
	// maxFrame leaves room for what surrounds a payload.
	maxFrame = MaxMessage + 64<<10
)

// Names of the service and of its methods.
const (
	service       = "rpcbench.Bencher"
	methodEcho    = "/" + service + "/Echo"
	methodMessage = "/" + service + "/Message"
	methodUnknown = "/" + service + "/Unknown"
)

// setup is how both sides use connections.
type setup struct {
	mux   bool // the client shares connections
	gonet bool // both sides have package net instead of tnet
	// streams says that the service has a stream, for which both sides have package net.
	streams bool
}

func (s setup) transport() string {
	switch {
	case s.streams:
		return "stream"
	case s.mux:
		return "mux"
	}
	return "pool"
}

func (s setup) profile() string {
	if s.gonet && !s.streams {
		return "gonet"
	}
	return ""
}

func (s setup) about() string {
	text := "clients call an address ip://, without a registry; the limit of a frame, 10 MiB, is lifted; the code is written by hand, as tRPC's generator would write it"
	if s.gonet {
		text += "; both sides have connections of package net"
	} else {
		text += "; both sides have tnet, tRPC-Go's default on Linux"
	}
	switch {
	case s.streams:
		return text + "; the service has a stream, so that its server handles the calls of a connection one after another; streams share connections of their own, which nothing closes; calls have a pool of others"
	case !s.mux:
		return text + "; WithPool has a pool that closes no idle connections"
	case s.gonet:
		return text + "; WithMultiplexed over a pool of connections that nothing closes"
	}
	return text + "; WithMultiplexed, whose pool on tnet has one connection: there are as many pools as connections"
}

// connections says how a client connects. On package net the pool of shared connections does not
// tell which it has.
func (s setup) connections() framework.Connections {
	switch {
	case s.streams:
		return framework.Connections{Sharing: framework.Pooled, StaysOpen: true}
	case !s.mux:
		return framework.Connections{Sharing: framework.Pooled}
	case s.gonet:
		return framework.Connections{Sharing: framework.Mux, StaysOpen: true}
	}
	return framework.Connections{Sharing: framework.Fixed}
}

// ofServer is the server's transport.
func (s setup) ofServer() trpcgo.Option {
	switch {
	case s.streams:
		return trpcgo.WithStreamTransport(transport.NewServerStreamTransport())
	case s.gonet:
		return trpcgo.WithTransport(transport.NewServerTransport())
	}
	return trpcgo.WithTransport(tnet.NewServerTransport())
}

// quiet switches off the logs of tRPC-Go and of tnet, and lifts tRPC-Go's limit of a frame.
var quiet = sync.OnceFunc(func() {
	log.SetLogger(log.NewZapLog(log.Config{{Writer: log.OutputConsole, Level: "fatal"}}))
	tnetlog.Default = zap.NewNop().Sugar()
	trpc.DefaultMaxFrameSize = maxFrame
})
