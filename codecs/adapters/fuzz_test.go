package adapters_test

import (
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

// A fuzz target for each line of the table:
//
//	go test -run '^$' -fuzz '^FuzzCbor$' -fuzztime=20s -fuzzminimizetime=1x .
//
// Without -fuzzminimizetime a short run mostly minimizes its first finds. Tests run all
// targets with their seeds. Decoders that kill their process are not fuzzed: TestHostile
// gives those broken input.
func FuzzHand(f *testing.F)           { suite.Fuzz(f, hand.Entry()) }
func FuzzGobFresh(f *testing.F)       { suite.Fuzz(f, gob.Fresh()) }
func FuzzGobStream(f *testing.F)      { suite.Fuzz(f, gob.Stream()) }
func FuzzJson(f *testing.F)           { suite.Fuzz(f, json.Entry()) }
func FuzzJsonv2(f *testing.F)         { suite.Fuzz(f, jsonv2.Entry()) }
func FuzzGoccy(f *testing.F)          { suite.Fuzz(f, goccy.Entry()) }
func FuzzSegmentio(f *testing.F)      { suite.Fuzz(f, segmentio.Entry()) }
func FuzzSonic(f *testing.F)          { suite.Fuzz(f, sonic.Entry()) }
func FuzzSonicStd(f *testing.F)       { suite.Fuzz(f, sonic.Std()) }
func FuzzEasyjson(f *testing.F)       { suite.Fuzz(f, easyjson.Entry()) }
func FuzzProtobuf(f *testing.F)       { suite.Fuzz(f, protobuf.Entry()) }
func FuzzProtobufOpaque(f *testing.F) { suite.Fuzz(f, protobuf.Opaque()) }
func FuzzProtobufLazy(f *testing.F)   { suite.Fuzz(f, protobuf.Lazy()) }
func FuzzVtproto(f *testing.F)        { suite.Fuzz(f, vtproto.Entry()) }
func FuzzVtprotoUnsafe(f *testing.F)  { suite.Fuzz(f, vtproto.Unsafe()) }
func FuzzPrutal(f *testing.F)         { suite.Fuzz(f, prutal.Entry()) }
func FuzzThriftBinary(f *testing.F)   { suite.Fuzz(f, thrift.Binary()) }
func FuzzThriftCompact(f *testing.F)  { suite.Fuzz(f, thrift.Compact()) }
func FuzzKitex(f *testing.F)          { suite.Fuzz(f, kitex.Entry()) }
func FuzzFrugal(f *testing.F)         { suite.Fuzz(f, frugal.Entry()) }
func FuzzMsgp(f *testing.F)           { suite.Fuzz(f, msgp.Entry()) }
func FuzzMsgpack(f *testing.F)        { suite.Fuzz(f, msgpack.Entry()) }
func FuzzShamaton(f *testing.F)       { suite.Fuzz(f, shamaton.Entry()) }
func FuzzCbor(f *testing.F)           { suite.Fuzz(f, cbor.Entry()) }
func FuzzMus(f *testing.F)            { suite.Fuzz(f, mus.Entry()) }
func FuzzAvro(f *testing.F)           { suite.Fuzz(f, avro.Entry()) }
func FuzzFlatbuffers(f *testing.F)    { suite.Fuzz(f, flatbuffers.Entry()) }
func FuzzCapnp(f *testing.F)          { suite.Fuzz(f, capnp.Entry()) }
func FuzzHyperpb(f *testing.F) {
	list := hyperpb.Entries()
	if len(list) == 0 {
		f.Skip("it does not compile on this machine")
	}
	suite.Fuzz(f, list[0])
}
