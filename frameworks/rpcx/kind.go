package rpcx

import (
	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/server"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// servicePath is the service's name on both sides.
const servicePath = "Bencher"

// Names of the methods.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)

// rawMethods are RawBencher's.
var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "Fail"}

// MaxMessage is the largest echo payload in bytes. rpcx itself has no limit.
const MaxMessage = 256 << 20

// kind says which messages are sent, and how.
type kind struct {
	name      string
	about     string
	carries   framework.Kind
	sent      *message.Sent
	modules   []string
	largest   int // the largest payload in bytes; 0 for MaxMessage
	serialize protocol.SerializeType
	register  func(s *server.Server, handlers bool) error
	hello     func() (req, reply any) // messages of the echo that opens a connection
	client    func(*connections) framework.Client
}
