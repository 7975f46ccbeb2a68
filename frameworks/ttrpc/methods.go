package ttrpc

import (
	"sync"

	"github.com/containerd/log"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// MaxMessage is the largest echo payload in bytes. ttrpc sends at most 4 MiB for a
// call, which includes names, timeout and lengths.
const MaxMessage = 4<<20 - overhead

// overhead is the most bytes that a request is larger than its payload. The largest
// timeout is a negative one, of a call whose time is over when it begins.
const overhead = 2 + len(serviceName) + 2 + len(methodEcho) + 11 + // service, method, timeout
	5 + 2 + len(handler.ActionEcho) + 5 // message, action, payload

const serviceName = "rpcbench.Bencher"

// Names of the methods.
const (
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
	methodStream  = "Stream"
)

// quiet turns off ttrpc's log, which reports broken connections and replies to calls
// that have ended.
var quiet = sync.OnceFunc(func() { log.SetLevel("fatal") })
