package module

import (
	_ "embed"
	"slices"
)

// frameworks are those whose adapters send any message of Protocol Buffers. Raw TCP echoes as many
// bytes.
var frameworks = [...]string{"grpc", "connect", "drpc", "ttrpc", "arpc", "rpcx", "netrpc", "kitex", "http", "tcp"}

// Frameworks lists them.
func Frameworks() []string { return slices.Clone(frameworks[:]) }

// Elsewhere are the frameworks that do not send any message, and why.
func Elsewhere() map[string]string {
	const module = "its adapter is in a module of its own"
	return map[string]string{
		"tars": "its structs are generated from .tars", "thrift": "its structs are generated from .thrift",
		"jkrpc": "it sends JSON to a server of yours", "jrpc2": "it sends JSON",
		"brpc":  "its adapter was written for the bench message",
		"dubbo": module, "motan": module, "nats": module, "trpc": module, "zrpc": module,
	}
}

// Binary is the test of a module of frameworks that measures one of them.
type Binary struct {
	Framework   string
	Module      string // the path of the module
	Name        string // msg=
	Type, Reply string // of the messages in package pb; Reply is "" if it is the request
	// Field and ReplyField are the fields that differ from call to call.
	Field, ReplyField string
}

//go:embed frameworks_test.tmpl
var frameworksTest string

// Text is the Go code of the test.
func (b Binary) Text() ([]byte, error) { return execute(frameworksTest, b) }

//go:embed samples.tmpl
var samples []byte

// Samples is the Go code of the package of a module of frameworks that has requests.bin and
// replies.bin.
func Samples() []byte { return slices.Clone(samples) }
