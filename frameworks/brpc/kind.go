package brpc

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// kind says which messages are sent, and how.
type kind struct {
	name    string
	about   string
	carries framework.Kind
	streams string // what About says of streams; "" if there are none
	client  func(c connections, streams bool) framework.Client
}
