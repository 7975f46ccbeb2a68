package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func TestOneVariant(t *testing.T) {
	variants := []framework.Variant{
		{Keys: framework.Keys{Framework: "kitex", Transport: "mux", Codec: "thrift"}},
		{Keys: framework.Keys{Framework: "kitex", Transport: "mux", Codec: "thrift", Profile: "tuned"}},
		{Keys: framework.Keys{Framework: "kitex", Transport: "mux", Codec: "protobuf"}},
		{Keys: framework.Keys{Framework: "tcp", Transport: "conn", Codec: "none"}},
	}
	for _, c := range []struct{ about, key, want, err string }{
		{"the framework is enough where it has one variant", "framework=tcp", "framework=tcp/transport=conn/codec=none", ""},
		{"the whole of an ID is that variant, whatever others go on", "framework=kitex/transport=mux/codec=thrift", "framework=kitex/transport=mux/codec=thrift", ""},
		{"and so is a longer one", "framework=kitex/transport=mux/codec=thrift/profile=tuned", "framework=kitex/transport=mux/codec=thrift/profile=tuned", ""},
		{"several are listed", "framework=kitex/transport=mux", "", "framework=kitex/transport=mux/codec=thrift, framework=kitex/transport=mux/codec=thrift/profile=tuned, framework=kitex/transport=mux/codec=protobuf"},
		{"a part of a key is none", "framework=tc", "", "any variant; did you mean framework=tcp?"},
		{"a value without its key is none", "tcp", "", "any variant; did you mean framework=tcp?"},
		{"a framework that there is not", "framework=grpc", "", "any variant: there are framework=kitex, framework=tcp"},
		{"a transport that its framework lacks", "framework=tcp/transport=conm", "", "any variant: there is framework=tcp/transport=conn/codec=none"},
		{"nothing is none", "", "", "any variant: there are framework=kitex, framework=tcp"},
	} {
		v, err := OneVariant(variants, c.key, nil)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err, c.about)
			continue
		}
		assert.NoError(t, err, c.about)
		assert.Equal(t, c.want, v.ID(), c.about)
	}
}
