package netrpc

import (
	"io"
	"net/rpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// kind says which messages are sent, and how net/rpc encodes them.
type kind[E, Q, R any] struct {
	native.Kind[E, Q, R]
	name    string
	about   string
	modules []string
	largest int // payload in bytes; 0 for no limit
	serve   func(*rpc.Server, io.ReadWriteCloser)
	client  func(io.ReadWriteCloser) *rpc.Client
	layers  layer.Stack // around both sides
}
