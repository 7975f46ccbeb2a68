package layer_test

import (
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// What an adapter asks a stack that it is given.
func ExampleStack() {
	s := layer.Stack{Layers: []layer.Layer{layer.Zstd, layer.OTel}, Metadata: metadata.Set{Entries: 20, Bytes: 24}}
	fmt.Println("with", s)
	if name := s.Compression(); name != "" {
		fmt.Println("compress by", name)
	}
	if s.Has(layer.OTel) {
		fmt.Println("trace")
	}
	if c := s.ServerTLS("h2"); c == nil {
		fmt.Println("listen without TLS")
	}
	fmt.Println("entries of each call:", s.Metadata.Entries)
	// Output:
	// with zstd_otel
	// compress by zstd
	// trace
	// listen without TLS
	// entries of each call: 20
}
