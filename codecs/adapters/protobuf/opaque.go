package protobuf

import (
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/opaque"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/reflection"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// Opaque is the same library with the structs of its opaque API, whose fields are
// reached by methods, so that their layout is the library's own.
func Opaque() suite.Entry {
	e := Entry()
	e.Mode, e.About = "opaque", "Protocol Buffers, opaque API"
	e.Bench = suite.Of(hidden[opaque.BenchMessage])
	e.Flat = suite.Of(hidden[opaque.Flat])
	e.Small = suite.Of(hidden[opaque.Small])
	e.Large = suite.Of(hidden[opaque.Large])
	e.Next = suite.Of(hidden[opaque.Next])
	e.Mapped = suite.Of(hidden[opaque.Mapped])
	return e
}

// OwnOpaque is Own as in Opaque, for a struct of the opaque API.
func OwnOpaque[N any, M message[N]](c suite.Conversion[N]) suite.Entry {
	e := Opaque()
	e.Own = Own[N, M](c).Own
	return e
}

// hidden is the codec of a struct with hidden fields.
func hidden[N any, M message[N]]() suite.Serializer[N] {
	c := codec[N, M]()
	c.Build = func(m *N, message any) error { return reflection.Set(M(m).ProtoReflect(), message) }
	c.Read = func(message any, m *N) error { return reflection.Get(message, M(m).ProtoReflect()) }
	return c
}
