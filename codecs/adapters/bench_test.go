// Package adapters_test holds the table of the serializers and runs the suite
// over it.
package adapters_test

import (
	_ "embed"
	"slices"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/adapters/avro"
	"github.com/rpcbench/rpcbench/codecs/adapters/capnp"
	"github.com/rpcbench/rpcbench/codecs/adapters/cbor"
	"github.com/rpcbench/rpcbench/codecs/adapters/easyjson"
	"github.com/rpcbench/rpcbench/codecs/adapters/flatbuffers"
	"github.com/rpcbench/rpcbench/codecs/adapters/frugal"
	"github.com/rpcbench/rpcbench/codecs/adapters/gob"
	"github.com/rpcbench/rpcbench/codecs/adapters/goccy"
	"github.com/rpcbench/rpcbench/codecs/adapters/hand"
	"github.com/rpcbench/rpcbench/codecs/adapters/hyperpb"
	"github.com/rpcbench/rpcbench/codecs/adapters/json"
	"github.com/rpcbench/rpcbench/codecs/adapters/jsonv2"
	"github.com/rpcbench/rpcbench/codecs/adapters/kitex"
	"github.com/rpcbench/rpcbench/codecs/adapters/msgp"
	"github.com/rpcbench/rpcbench/codecs/adapters/msgpack"
	"github.com/rpcbench/rpcbench/codecs/adapters/mus"
	"github.com/rpcbench/rpcbench/codecs/adapters/protobuf"
	"github.com/rpcbench/rpcbench/codecs/adapters/prutal"
	"github.com/rpcbench/rpcbench/codecs/adapters/segmentio"
	"github.com/rpcbench/rpcbench/codecs/adapters/shamaton"
	"github.com/rpcbench/rpcbench/codecs/adapters/sonic"
	"github.com/rpcbench/rpcbench/codecs/adapters/thrift"
	"github.com/rpcbench/rpcbench/codecs/adapters/vtproto"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

// entries is the table of the serializers. A new serializer is a directory, a line
// here, and a line in fuzz_test.go.
var entries = slices.Concat([]suite.Entry{
	hand.Entry(),
	gob.Fresh(),
	gob.Stream(),
	json.Entry(),
	jsonv2.Entry(),
	goccy.Entry(),
	segmentio.Entry(),
	sonic.Entry(),
	sonic.Std(),
	easyjson.Entry(),
	protobuf.Entry(),
	protobuf.Opaque(),
	protobuf.Lazy(),
	vtproto.Entry(),
	vtproto.Unsafe(),
	prutal.Entry(),
	thrift.Binary(),
	thrift.Compact(),
	kitex.Entry(),
	frugal.Entry(),
	msgp.Entry(),
	msgpack.Entry(),
	shamaton.Entry(),
	cbor.Entry(),
	mus.Entry(),
	avro.Entry(),
	flatbuffers.Entry(),
	capnp.Entry(),
}, hyperpb.Entries())

//go:embed go.mod
var goMod []byte

func TestMain(m *testing.M) {
	suite.Main(m, suite.Config{Entries: entries, GoMod: goMod})
}

func TestConformance(t *testing.T) { suite.Conformance(t) }
func TestProperties(t *testing.T)  { suite.Properties(t) }

// Slow: allocations of every serializer and message are counted.
func TestReuse(t *testing.T)    { suite.Reuse(t) }
func TestTogether(t *testing.T) { suite.Together(t) }
func TestHostile(t *testing.T)  { suite.Hostile(t, "testdata/hostile.json") }

func TestReadme(t *testing.T) {
	suite.Readme(t, suite.ReadmeFiles{
		Template: "readme.tmpl", Hostile: "testdata/hostile.json", Figures: "testdata/figures.txt",
		Parallel: "testdata/parallel.txt", Share: "testdata/share.txt", Readme: "../README.md",
	})
}

func BenchmarkCodec(b *testing.B)    { suite.Codec(b) }
func BenchmarkParallel(b *testing.B) { suite.Parallel(b) }
