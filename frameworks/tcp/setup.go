package tcp

import "github.com/rpcbench/rpcbench/frameworks/suite/framework"

// setup is what a variant adds to plain connections, on both sides.
type setup struct {
	window
	layers framework.Stack
}
