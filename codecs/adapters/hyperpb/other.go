//go:build !amd64 && !arm64

package hyperpb

import "github.com/rpcbench/rpcbench/codecs/suite"

// Entries is empty where the library does not compile.
func Entries() []suite.Entry { return nil }
