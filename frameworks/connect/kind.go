package connect

import (
	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// Paths of the methods, as in generated code.
const (
	service       = "/rpcbench.Bencher/"
	methodEcho    = service + "Echo"
	methodMessage = service + "Message"
	methodUnknown = service + "Unknown"
	methodStream  = "/rpcbench.Streamer/Stream"
)

// messages are sent by both services.
type messages[Q, R any] struct {
	native.Kind[protobuf.EchoMessage, Q, R]
}

// benchMessages has the bench message.
var benchMessages = messages[protobuf.BenchMessage, protobuf.BenchMessage]{protobuf.Kind}

// kind says how the messages, which are protobuf-go's, are encoded.
type kind struct {
	name    string
	options []connect.ClientOption
}

var (
	protobufKind = kind{"protobuf", nil}
	jsonKind     = kind{"json", []connect.ClientOption{connect.WithProtoJSON()}}
)
