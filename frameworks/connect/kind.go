package connect

import "connectrpc.com/connect"

// Paths of the methods, as in generated code.
const (
	service       = "/rpcbench.Bencher/"
	methodEcho    = service + "Echo"
	methodMessage = service + "Message"
	methodUnknown = service + "Unknown"
	methodStream  = "/rpcbench.Streamer/Stream"
)

// kind says how the messages, which are protobuf-go's, are encoded.
type kind struct {
	name    string
	options []connect.ClientOption
}

var (
	protobufKind = kind{"protobuf", nil}
	jsonKind     = kind{"json", []connect.ClientOption{connect.WithProtoJSON()}}
)
