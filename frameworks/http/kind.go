package http

import (
	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// Paths of the methods.
const (
	methodEcho    = "/echo"
	methodMessage = "/message"
	methodUnknown = "/unknown"
)

// kind says which messages are sent, and how they are encoded.
type kind[E, Q, R any] struct {
	native.Kind[E, Q, R]
	dynamic.Codec
	about string
	media string // the Content-Type
}

var (
	jsonKind = kind[plain.EchoMessage, plain.BenchMessage, plain.BenchMessage]{
		plain.Kind, dynamic.JSON, "encoding/json", "application/json",
	}
	protobufKind = kind[protobuf.EchoMessage, protobuf.BenchMessage, protobuf.BenchMessage]{
		protobuf.Kind, dynamic.Protobuf, "google.golang.org/protobuf", "application/x-protobuf",
	}
)
