// Package rpcbench has the go.mod of the module, of which the tests of the
// frameworks print the versions: the build information of a test binary lists no
// modules, and a package can embed no file of the directory above it.
package rpcbench

import _ "embed"

//go:embed go.mod
var goMod string

// GoMod returns the text of go.mod.
func GoMod() []byte { return []byte(goMod) }
