package native

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// Raw are messages of a framework that carries them past its serializer. They
// have no bench message.
var Raw = Kind[framework.EchoMessage, struct{}]{
	Set: func(e *framework.EchoMessage, m framework.EchoMessage) { *e = m },
	Get: func(e *framework.EchoMessage) framework.EchoMessage { return *e },
}
