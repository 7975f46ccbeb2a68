package tars

import (
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carries describes the contexts of packets. Their limit is a package's, of which half is left
// for the message.
func carries() metadata.Means {
	return metadata.Means{
		By:    "the context of TarsInvoke and of a response, maps of names and values",
		Most:  maxPackage / 2,
		Added: 10, // heads of a name and a value, with lengths of up to 4 bytes
	}
}

// layers describes what the recommended variant can be given.
func layers() *framework.Layers {
	return &framework.Layers{
		Metadata: carries(),
		Chain:    layer.Interceptors{Instead: "TarsGo has filters for a whole process, which keeps them"},
		With: func(s layer.Stack) framework.Variant {
			with := plainly
			with.layers = s
			return variant(with)
		},
	}
}
