package arpc

import (
	"github.com/lesismal/arpc"
	arpccodec "github.com/lesismal/arpc/codec"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Names of the methods.
const (
	methodEcho    = "/echo"
	methodMessage = "/message"
	methodStream  = "/stream"
	methodUnknown = "/unknown"
)

var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "/fail"}

// kind says which messages are sent, and how.
type kind struct {
	name    string
	about   string
	carries framework.Kind
	sent    *message.Sent
	streams string // what About says of streams; "" if there are none
	modules []string
	codec   arpccodec.Codec
	route   func(arpc.Handler)
	client  func(c *connections, streams bool) framework.Client
}
