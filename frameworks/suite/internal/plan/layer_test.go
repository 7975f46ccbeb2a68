package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// wrapped are fruit of which one can be compressed and traced.
func wrapped() []framework.Variant {
	list := fruit()
	list[0].Layers = &framework.Layers{
		Has:  map[framework.Layer]string{framework.Gzip: "its own", framework.OTel: "a plug-in"},
		With: func(framework.Stack) framework.Variant { return fruit()[0] },
	}
	return list
}

func wrap(pattern, with string, set ...func(*Options)) (*Plan, error) {
	o := NewOptions()
	o.Pattern = pattern
	o.Sizes.Set("1B")
	o.Layers.Set(with)
	for _, s := range set {
		s(o)
	}
	return New(o, wrapped(), rings())
}

func TestLayers(t *testing.T) {
	const bulk = "BenchmarkBulk/framework=apple/mode=a/size=1B/net=none"
	for _, c := range []struct {
		about, pattern, with string
		want                 []string
	}{
		{"none without -with", "Bulk/framework=apple/mode=/size=/net=none$", "", []string{bulk}},
		{"beside the variant as it is", "Bulk/framework=apple", "gzip,otel_gzip", []string{bulk, bulk + "/with=gzip", bulk + "/with=gzip_otel", bulk + "/window=1MiB"}},
		{"each once", "Bulk/framework=apple/mode=/size=/net=none/with=", "gzip_otel,otel_gzip", []string{bulk + "/with=gzip_otel"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			p, err := wrap(c.pattern, c.with)
			require.NoError(t, err)
			assert.Equal(t, c.want, p.Names())
		})
	}
}

func TestLayersThatCannotBe(t *testing.T) {
	only := func(o *Options) { o.Frameworks.Set("berry") }
	for _, c := range []struct {
		about, with string
		set         []func(*Options)
		want        string
	}{
		{"a layer that all lack", "zstd", nil, "-with=zstd: no variant that is selected has it: apple, berry, yours"},
		{"several that all lack", "zstd,snappy", nil, "-with=zstd: no variant that is selected has it: apple, berry, yours"},
		{"a layer that those selected lack", "gzip", []func(*Options){only}, "-with=gzip: no variant that is selected has it: berry; these have: apple"},
		{"of a server that is given", "gzip", []func(*Options){servers("framework=apple@h:1")}, "-server names layers by its keys, as in framework=grpc/transport=h2/codec=protobuf/with=tls13@HOST:PORT: leave -with out"},
		{"with windows", "gzip", []func(*Options){windowSizes("64KiB")}, "-window and -with make variants each: give one"},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := wrap("Bulk", c.with, c.set...)
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
		})
	}
}

// A run says which frameworks lack a layer.
func TestLayersThatSomeLack(t *testing.T) {
	p, err := wrap("Bulk", "gzip,zstd")
	require.NoError(t, err)
	assert.Contains(t, p.Absent(), "-with=gzip: lacked by berry, yours")
	assert.Contains(t, p.Absent(), "-with=zstd: lacked by apple, berry, yours", "as in the binary of a framework that lacks one of several")
}

func TestFindWithLayers(t *testing.T) {
	id := wrapped()[0].ID()
	for _, c := range []struct{ about, id, want, err string }{
		{"with what it has", id + "/with=gzip", id + "/with=gzip", ""},
		{"with what it lacks", id + "/with=zstd", "", id + " lacks zstd"},
		{"of no variant", "framework=fig/with=gzip", "", `no variant "framework=fig/with=gzip"`},
	} {
		t.Run(c.about, func(t *testing.T) {
			v, err := Find(wrapped(), c.id, nil)
			if c.err != "" {
				assert.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, v.ID())
		})
	}
}
