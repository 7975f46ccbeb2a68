package rpcx

import (
	"cmp"
	"context"
	"fmt"
	"time"

	rpcxclient "github.com/smallnest/rpcx/client"
	"github.com/smallnest/rpcx/protocol"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/address"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// dial opens a connection of each XClient to each address. Calls are not retried, as
// with the other frameworks.
func dial(addrs []string, s setup, k kind, selection rpcxclient.SelectMode, o framework.DialOptions) (framework.Client, error) {
	prepare()
	option := rpcxclient.DefaultOption
	option.SerializeType = k.serialize
	option.ConnectTimeout = conns.DialTimeout // in rpcx's own second TCP does not send again what a network lost
	wrap(&option, s.layers, o)
	d := discover(addrs, o.Weights)
	c := &connections{closed: make(chan struct{})}
	next := func() rpcxclient.XClient {
		return chained(rpcxclient.NewXClient(servicePath, rpcxclient.Failfast, selection, d, option), s.layers.Chain)
	}
	if s.pooled {
		c.pool = rpcxclient.NewXClientPool(o.Conns, servicePath, rpcxclient.Failfast, selection, d, option)
		next = c.pool.Get // its first calls return each XClient once
	}
	if set := s.layers.Metadata; set.Entries > 0 {
		calls, plain := set.Calls(), next
		next = func() rpcxclient.XClient { return carrier{plain(), calls} }
		c.carries = true
	}
	var err error
	c.list, err = conns.Open(o.Conns, func() (rpcxclient.XClient, error) {
		return open(next(), len(addrs), k, cmp.Or(o.Patience, conns.DialTimeout))
	}, rpcxclient.XClient.Close)
	if err != nil {
		return nil, err
	}
	return k.client(c), nil
}

// discover returns the discovery of a single address as in rpcx's documentation, or of
// several as in rpcx-benchmark, with their weights if these differ.
func discover(addrs []string, weights []int) rpcxclient.ServiceDiscovery {
	var servers []*rpcxclient.KVPair
	for i, addr := range addrs {
		server := &rpcxclient.KVPair{Key: address.Network(addr) + "@" + addr}
		if weights != nil {
			server.Value = fmt.Sprintf("weight=%d", weights[i])
		}
		servers = append(servers, server)
	}
	if len(servers) > 1 {
		d, _ := rpcxclient.NewMultipleServersDiscovery(servers) // its error is always nil
		return d
	}
	d, _ := rpcxclient.NewPeer2PeerDiscovery(servers[0].Key, "") // its error is always nil
	return d
}

// open makes as many calls as there are servers. An XClient opens a connection with the first
// call to a server, and in turn these calls reach each of them.
func open(c rpcxclient.XClient, servers int, k kind, patience time.Duration) (rpcxclient.XClient, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for range servers {
		req, reply := k.hello()
		if err := c.Call(ctx, methodEcho, req, reply); err != nil {
			c.Close()
			return nil, fmt.Errorf("rpcx: no connection: %w", err)
		}
	}
	return c, nil
}

// wrap gives the option of a client its layers.
func wrap(option *rpcxclient.Option, s layer.Stack, o framework.DialOptions) {
	option.TLSConfig = s.ClientTLS(o.Handshakes)
	option.CompressType = map[layer.Layer]protocol.CompressType{
		layer.Gzip: protocol.Gzip, layer.Snappy: compressSnappy, layer.Zstd: compressZstd,
	}[s.Compression()]
}
