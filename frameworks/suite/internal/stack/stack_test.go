package stack

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// TestKeysNameWhatIsAround: what Named writes Of reads.
func TestKeysNameWhatIsAround(t *testing.T) {
	for _, c := range []struct {
		about string
		stack layer.Stack
		id    string
	}{
		{"nothing", layer.Stack{}, ""},
		{"layers", layer.Stack{Layers: []layer.Layer{layer.TLS13, layer.Gzip}}, "/with=tls13_gzip"},
		{"metadata", layer.Stack{Metadata: metadata.Set{Entries: 2, Bytes: metadata.DefaultBytes}}, "/metadata=2"},
		{"interceptors", layer.Stack{Chain: 5}, "/chain=5"},
		{"all", layer.Stack{Layers: []layer.Layer{layer.OTel}, Metadata: metadata.Set{Entries: 1}, Chain: 1}, "/with=otel/metadata=1:0B/chain=1"},
	} {
		t.Run(c.about, func(t *testing.T) {
			k := Named(framework.Keys{With: "zstd", Chain: "9"}, c.stack)
			assert.Equal(t, c.id, k.OptionalKeys())
			assert.Equal(t, c.stack, Of(k))
			assert.Equal(t, c.id == "", Empty(c.stack))
		})
	}
	assert.Equal(t, layer.Stack{}, Of(framework.Keys{With: "lz4"}), "what is wrong is nothing")
}

func TestMeans(t *testing.T) {
	carries := metadata.Means{By: "headers", Most: 1 << 20, Added: 32, MostValue: 4096, Base64: true}
	for _, c := range []struct{ about, text, lacks, over string }{
		{"nothing", "0", "", ""},
		{"what it can", "20-binary-fresh", "", ""},
		{"all together", "3000:1KiB", "", "3204000 bytes of 1048576"},
		{"in base64", "1:4KiB-binary", "", "values of 5462 bytes of 4096"},
		{"one value", "1:8KiB", "", "values of 8192 bytes of 4096"},
	} {
		s, err := metadata.Read(c.text)
		require.NoError(t, err)
		assert.Equal(t, c.lacks, Lacks(carries, s), c.about)
		assert.Equal(t, c.over, Over(carries, s), c.about)
	}
	assert.Equal(t, "metadata", Lacks(metadata.Means{}, metadata.Set{Entries: 1}))
	assert.Equal(t, "binary metadata", Lacks(metadata.Means{By: "text", Text: true}, metadata.Set{Entries: 1, Binary: true}))
	assert.Equal(t, "metadata without a value", Lacks(metadata.Means{By: "text", Filled: true}, metadata.Set{Entries: 1}))
}

func TestReadLayers(t *testing.T) {
	for _, c := range []struct{ about, text, want, err string }{
		{"one layer", "gzip", "gzip", ""},
		{"layers have one order", "otel_gzip", "gzip_otel", ""},
		{"an unknown word names those that there are", "lz4", "", `with=lz4: "lz4" is no layer; layers are tls13, mtls, gzip, zstd, snappy, otel, joined by _`},
		{"an empty word", "gzip_", "", `with=gzip_: "" is no layer; layers are tls13, mtls, gzip, zstd, snappy, otel, joined by _`},
		{"two compressions", "zstd_gzip", "", "with=zstd_gzip: gzip and zstd exclude each other"},
		{"both kinds of TLS", "tls13_mtls", "", "with=tls13_mtls: tls13 and mtls exclude each other"},
		{"a layer twice", "otel_otel", "", "with=otel_otel: otel is there twice"},
		{"TLS without certificates", "tls13", "", "with=tls13: there are no certificates: give -certs=DIR"},
	} {
		t.Run(c.about, func(t *testing.T) {
			s, err := ReadLayers(c.text)
			if err == nil {
				s, err = s.Certified(nil)
			}
			if c.err != "" {
				assert.EqualError(t, err, c.err)
				return
			}
			assert.NoError(t, err)
			assert.Equal(t, c.want, s.String())
		})
	}
}
