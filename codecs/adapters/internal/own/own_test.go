// Package own_test sends the bench message through the suite as if it were of one's own:
// what is measured so must cost what it does as a message of the suite.
package own_test

import (
	"os"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/adapters/cbor"
	"github.com/rpcbench/rpcbench/codecs/adapters/easyjson"
	easyjsonnative "github.com/rpcbench/rpcbench/codecs/adapters/easyjson/native"
	"github.com/rpcbench/rpcbench/codecs/adapters/goccy"
	"github.com/rpcbench/rpcbench/codecs/adapters/hyperpb"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/opaque"
	"github.com/rpcbench/rpcbench/codecs/adapters/internal/pb"
	prutalnative "github.com/rpcbench/rpcbench/codecs/adapters/internal/prutal/bench"
	"github.com/rpcbench/rpcbench/codecs/adapters/json"
	"github.com/rpcbench/rpcbench/codecs/adapters/jsonv2"
	"github.com/rpcbench/rpcbench/codecs/adapters/message"
	"github.com/rpcbench/rpcbench/codecs/adapters/msgp"
	msgpnative "github.com/rpcbench/rpcbench/codecs/adapters/msgp/native"
	"github.com/rpcbench/rpcbench/codecs/adapters/msgpack"
	"github.com/rpcbench/rpcbench/codecs/adapters/protobuf"
	"github.com/rpcbench/rpcbench/codecs/adapters/prutal"
	"github.com/rpcbench/rpcbench/codecs/adapters/segmentio"
	"github.com/rpcbench/rpcbench/codecs/adapters/shamaton"
	"github.com/rpcbench/rpcbench/codecs/adapters/sonic"
	"github.com/rpcbench/rpcbench/codecs/adapters/vtproto"
	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// plain has a struct of Go filled by the names of the fields.
var plain suite.Conversion[messages.Bench]

// entries are all that take messages of one's own, but for gob, which loses zeros.
func entries() []suite.Entry {
	return []suite.Entry{
		json.Own(plain), jsonv2.Own(plain), goccy.Own(plain), segmentio.Own(plain), sonic.Own(plain), sonic.OwnStd(plain),
		easyjson.Own(suite.Conversion[easyjsonnative.Bench]{}),
		protobuf.Own(suite.Conversion[pb.BenchMessage]{}), protobuf.OwnOpaque(suite.Conversion[opaque.BenchMessage]{}),
		vtproto.Own(suite.Conversion[pb.BenchMessage]{}), vtproto.OwnUnsafe(suite.Conversion[pb.BenchMessage]{}),
		prutal.Own(suite.Conversion[prutalnative.BenchMessage]{}),
		msgp.Own(suite.Conversion[msgpnative.Bench]{}), msgpack.Own(plain), shamaton.Own(plain), cbor.Own(plain),
		hyperpb.Own[pb.BenchMessage](),
	}
}

// sample are the messages of the suite, in the struct that protoc-gen-go makes.
func sample() (list []*pb.BenchMessage) {
	for i := range 256 {
		m := new(pb.BenchMessage)
		if err := suite.Convert(m, messages.KindBench.Seeded(i)); err != nil {
			panic(err) // of fields that have the same names
		}
		list = append(list, m)
	}
	return list
}

// ours is the environment variable with which the binary measures the bench message of the
// suite, in the same entries: to see by hand that both ways cost the same, run it by turns.
const ours = "RPCBENCH_TEST_OURS"

func TestMain(m *testing.M) {
	c := suite.Config{Entries: entries()}
	if os.Getenv(ours) == "" {
		c.Messages = suite.Messages("bench", sample(), message.Comparison[pb.BenchMessage]())
	}
	suite.Main(m, c)
}

func TestConformance(t *testing.T) { suite.Conformance(t) }
func TestProperties(t *testing.T)  { suite.Properties(t) }
func TestReuse(t *testing.T)       { suite.Reuse(t) }
func TestTogether(t *testing.T)    { suite.Together(t) }

func BenchmarkCodec(b *testing.B)    { suite.Codec(b) }
func BenchmarkParallel(b *testing.B) { suite.Parallel(b) }
