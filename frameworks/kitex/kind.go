package kitex

import (
	"errors"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/remote"
	"github.com/cloudwego/kitex/pkg/remote/trans/nphttp2/codes"
	"github.com/cloudwego/kitex/pkg/remote/trans/nphttp2/status"
	"github.com/cloudwego/kitex/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Names of the methods. Clients know the unknown one, and servers do not.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)

// kind says which messages are sent, and what encodes them.
type kind struct {
	name    string
	about   string
	profile string
	module  string // the module that marshals
	sent    *message.Sent
	server  []server.Option
	// register registers the service with its handler at a server.
	register func(server.Server) error
	// connect makes a client of the service. The client knows a method "Unknown"
	// that the server lacks, because kitex sends only calls of methods that the
	// client knows.
	connect  func([]kitexclient.Option) (framework.MessageClient, error)
	converts bool // the client's requests hold payloads as text
}

// unknown reports whether err is kitex's for a method or a service that the server does
// not have, over its own protocols or over gRPC. Kitex's own servers answer over gRPC with
// another code than gRPC has for this, so their text counts as well.
func unknown(err error) bool {
	var e *remote.TransError
	if errors.As(err, &e) {
		return e.TypeID() == remote.UnknownMethod || e.TypeID() == remote.UnknownService
	}
	return status.Code(err) == codes.Unimplemented || framework.Says("unknown method ", "unknown service ")(err)
}
