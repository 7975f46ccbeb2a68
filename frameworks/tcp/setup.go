package tcp

import "github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"

// setup is what a variant adds to plain connections, on both sides.
type setup struct {
	window
	layers layer.Stack
}
