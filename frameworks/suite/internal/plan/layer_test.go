package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// wrapped are fruit of which one can be compressed and traced.
func wrapped() []framework.Variant {
	list := fruit()
	list[0].Layers = &framework.Layers{
		Has:      map[layer.Layer]string{layer.Gzip: "its own", layer.OTel: "a plug-in"},
		Metadata: metadata.Means{By: "headers", Most: 1 << 20, Text: true},
		Chain:    layer.Interceptors{By: "filters"},
		With:     func(layer.Stack) framework.Variant { return fruit()[0] },
	}
	list[1].Layers = &framework.Layers{Chain: layer.Interceptors{Instead: "its servers alone have filters"}}
	return list
}

func wrap(pattern, with string, set ...func(*Options)) (*Plan, error) {
	o := NewOptions()
	o.Pattern = pattern
	o.Sizes.Set("1B")
	if with != "" {
		o.Layers.Set(with)
	}
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

func TestMetadata(t *testing.T) {
	const bulk = "BenchmarkBulk/framework=apple/mode=a/size=1B/net=none"
	for _, c := range []struct {
		about, with, metadata string
		want                  []string
	}{
		{"what is listed", "", "0,2,20-fresh", []string{bulk, bulk + "/metadata=2", bulk + "/metadata=20-fresh"}},
		{"and no other", "", "2:24B", []string{bulk + "/metadata=2"}},
		{"each with the layers", "gzip", "0,2", []string{bulk, bulk + "/with=gzip", bulk + "/metadata=2", bulk + "/with=gzip/metadata=2"}},
		{"0 alone is the variant as it is", "", "0", []string{bulk}},
	} {
		t.Run(c.about, func(t *testing.T) {
			p, err := wrap("Bulk/framework=apple", c.with, func(o *Options) { o.Metadata.Set(c.metadata) })
			require.NoError(t, err)
			got := slices.DeleteFunc(p.Names(), func(name string) bool { return strings.Contains(name, "window=") })
			assert.Equal(t, c.want, got)
		})
	}
}

func TestChains(t *testing.T) {
	const bulk = "BenchmarkBulk/framework=apple/mode=a/size=1B/net=none"
	for _, c := range []struct {
		about, with, metadata, chain string
		want                         []string
	}{
		{"what is listed", "", "", "0,1,5", []string{bulk, bulk + "/chain=1", bulk + "/chain=5"}},
		{"and no other, each once", "", "", "5,5", []string{bulk + "/chain=5"}},
		{"0 alone is the variant as it is", "", "", "0", []string{bulk}},
		{"each with the metadata", "", "0,2", "0,5", []string{bulk, bulk + "/metadata=2", bulk + "/chain=5", bulk + "/metadata=2/chain=5"}},
		{"each with the layers", "gzip", "2", "5", []string{bulk + "/metadata=2/chain=5", bulk + "/with=gzip/metadata=2/chain=5"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			p, err := wrap("Bulk/framework=apple", c.with, func(o *Options) {
				o.Metadata.Set(c.metadata)
				o.Chains.Set(c.chain)
			})
			require.NoError(t, err)
			got := slices.DeleteFunc(p.Names(), func(name string) bool { return strings.Contains(name, "window=") })
			assert.Equal(t, c.want, got)
		})
	}
}

func TestChainsThatCannotBe(t *testing.T) {
	onlyBerry := func(o *Options) { o.Frameworks.Set("berry") }
	for _, c := range []struct {
		about string
		set   func(*Options)
		want  string
	}{
		{"that those selected lack", onlyBerry, "-chain=5: no variant that is selected has it: berry (its servers alone have filters); these have: apple"},
		{"of a server that is given", servers("framework=apple@h:1"), "-server names interceptors by its keys, as in framework=grpc/transport=h2/codec=protobuf/chain=5@HOST:PORT: leave -chain out"},
		{"with windows", windowSizes("64KiB"), "-window and -chain make variants each: give one"},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := wrap("Bulk", "", c.set, func(o *Options) { o.Chains.Set("5") })
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestMetadataThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		about, metadata string
		set             []func(*Options)
		want            string
	}{
		{"that all lack", "2-binary", nil, "-metadata=2-binary: no variant that is selected has it: apple, berry, yours"},
		{"of a server that is given", "2", []func(*Options){servers("framework=apple@h:1")}, "-server names metadata by its keys, as in framework=grpc/transport=h2/codec=protobuf/metadata=20@HOST:PORT: leave -metadata out"},
		{"with windows", "2", []func(*Options){windowSizes("64KiB")}, "-window and -metadata make variants each: give one"},
		{"over the limit", "3000:1KiB", nil, "-metadata=3000:1KiB: 3108000 bytes of names and values are over the limit of framework=apple (3108000 bytes of 1048576)"},
	} {
		t.Run(c.about, func(t *testing.T) {
			p, err := wrap("Bulk", "", append(c.set, func(o *Options) { o.Metadata.Set(c.metadata) })...)
			if err == nil {
				err = p.CheckMetadata()
			}
			assert.EqualError(t, err, c.want)
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
		{"with metadata", id + "/metadata=2-fresh", id + "/metadata=2-fresh", ""},
		{"with both", id + "/with=gzip/metadata=2", id + "/with=gzip/metadata=2", ""},
		{"with both and none", id + "/with=zstd/metadata=2-binary", "", id + " lacks zstd and binary metadata"},
		{"with metadata in no form", id + "/metadata=many", "", "metadata=many: must be ENTRIES or ENTRIES:BYTES, with -binary or -fresh behind it or both in this order, as in 20, 20:256B or 20-fresh"},
		{"with interceptors", id + "/chain=5", id + "/chain=5", ""},
		{"with all three", id + "/with=gzip/metadata=2/chain=5", id + "/with=gzip/metadata=2/chain=5", ""},
		{"with interceptors that it lacks", wrapped()[1].ID() + "/chain=5", "", wrapped()[1].ID() + " lacks interceptors of calls on both sides"},
		{"with interceptors in no form", id + "/chain=many", "", "chain=many: must be a whole number of interceptors on each side, from 0 to 100"},
		{"with nothing", id + "/metadata=0/chain=0", "", `no variant "` + id + `/metadata=0/chain=0"`},
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
