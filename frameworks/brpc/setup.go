package brpc

import (
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/rpc"
	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// setup is the protocol that both sides use.
type setup struct {
	transport string
	protocol  *wire.Protocol
	streams   bool
	window    int // of a stream, in bytes
	layers    layer.Stack
}

// carries reports whether the setup has streams of a kind.
func (s setup) carries(k kind) bool { return s.streams && k.streams != "" }

func (s setup) open(addr string) (*rpc.Conn, error) {
	c, err := rpc.Dial(addr, s.protocol, s.window)
	if err == nil && s.layers.Has(layer.Gzip) {
		c.Compress()
	}
	return c, err
}

var (
	std  = setup{"baidu_std", wire.BaiduStd, true, rpc.Window, layer.Stack{}}
	hulu = setup{"hulu", wire.Hulu, false, rpc.Window, layer.Stack{}}
)
