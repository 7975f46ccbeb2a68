package brpc

import "github.com/rpcbench/rpcbench/frameworks/brpc/internal/wire"

// The services, see README.md. Hulu sends the last part of their names, and the
// indices of the methods.
const (
	bencher  = "rpcbench.Bencher"
	streamer = "rpcbench.Streamer"
)

var (
	methodEcho    = wire.Method{Service: bencher, Name: "Echo", Index: 0}
	methodMessage = wire.Method{Service: bencher, Name: "Message", Index: 1}
	methodUnknown = wire.Method{Service: bencher, Name: "Unknown", Index: 99}
	methodStream  = wire.Method{Service: streamer, Name: "Stream", Index: 0}
)
