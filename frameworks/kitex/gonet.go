package kitex

import (
	"net"

	"github.com/cloudwego/gopkg/bufiox"
	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/remote/trans/detection"
	"github.com/cloudwego/kitex/pkg/remote/trans/gonet"
	"github.com/cloudwego/kitex/pkg/remote/trans/nphttp2"
	"github.com/cloudwego/kitex/pkg/remote/trans/ttstream"
	"github.com/cloudwego/kitex/server"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// poolGonet is pool over package net instead of netpoll. Its options are those that kitex
// itself has on Windows.
var poolGonet = setup{
	name:     "pool-gonet",
	about:    "both sides have connections of package net instead of netpoll's, as kitex has on Windows; the protocol and the pool are those of `transport=pool`",
	handlers: "; each connection has a goroutine, in which its handlers run",
	sharing:  framework.Pooled,
	server: []server.Option{
		server.WithTransServerFactory(gonet.NewTransServerFactory()),
		server.WithTransHandlerFactory(detection.NewSvrTransHandlerFactory(gonet.NewSvrTransHandlerFactory(),
			nphttp2.NewSvrTransHandlerFactory(), ttstream.NewSvrTransHandlerFactory())),
	},
	client: func(o framework.DialOptions) []kitexclient.Option {
		return append(longConnections(o), kitexclient.WithTransHandlerFactory(gonet.NewCliTransHandlerFactory()))
	},
	dialer:   gonet.NewDialer,
	balances: true,
}

// gonetConn is a connection of kitex's package gonet.
type gonetConn interface {
	net.Conn
	Reader() *bufiox.DefaultReader
	Writer() *bufiox.DefaultWriter
}

// forgetting is a connection that calls forget when it is closed.
type forgetting struct {
	gonetConn
	forget func()
}

// Close implements net.Conn.
func (c *forgetting) Close() error {
	c.forget()
	return c.gonetConn.Close()
}
