package message

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	pb "github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// encoded are messages as Samples has them.
func encoded(t testing.TB, list ...proto.Message) []byte {
	var b bytes.Buffer
	for _, m := range list {
		_, err := protodelim.MarshalTo(&b, m)
		require.NoError(t, err)
	}
	return b.Bytes()
}

// holds has a mark hold two numbers, in messages of one size.
func holds[M any](t *testing.T, name string, sample *M) {
	for _, owned := range []bool{true, false} {
		mark, err := markOf[M](name, owned)
		require.NoError(t, err)
		first, second := message.Number(0, 1), message.Number(99, 131000)
		mark.Set(sample, first)
		assert.Equal(t, first, mark.Get(sample))
		size := proto.Size(protoOf(sample))
		mark.Set(sample, second)
		assert.Equal(t, second, mark.Get(sample))
		assert.Equal(t, size, proto.Size(protoOf(sample)))
	}
}

func TestFieldsThatHoldNumbers(t *testing.T) {
	for about, run := range map[string]func(t *testing.T){
		"an int32":              func(t *testing.T) { holds(t, "value", new(wrapperspb.Int32Value)) },
		"an int64":              func(t *testing.T) { holds(t, "value", new(wrapperspb.Int64Value)) },
		"an uint32":             func(t *testing.T) { holds(t, "value", new(wrapperspb.UInt32Value)) },
		"an uint64":             func(t *testing.T) { holds(t, "value", new(wrapperspb.UInt64Value)) },
		"a float":               func(t *testing.T) { holds(t, "value", new(wrapperspb.FloatValue)) },
		"a double":              func(t *testing.T) { holds(t, "value", new(wrapperspb.DoubleValue)) },
		"an empty string":       func(t *testing.T) { holds(t, "value", new(wrapperspb.StringValue)) },
		"a long string":         func(t *testing.T) { holds(t, "value", wrapperspb.String("some long text")) },
		"a string of two runes": func(t *testing.T) { holds(t, "value", wrapperspb.String("äö")) },
		"bytes":                 func(t *testing.T) { holds(t, "value", wrapperspb.Bytes(make([]byte, 9))) },
		"an optional number":    func(t *testing.T) { holds(t, "field22", new(pb.BenchMessage)) },
		"an optional string":    func(t *testing.T) { holds(t, "field4", &pb.BenchMessage{Field4: proto.String("ein langer Text")}) },
	} {
		t.Run(about, run)
	}
}

// TestTextStaysValid: a number is written over whole runes.
func TestTextStaysValid(t *testing.T) {
	mark, err := markOf[wrapperspb.StringValue]("value", true)
	require.NoError(t, err)
	for _, text := range []string{"日本語日本語", "aaaaä!", "12345é", "€€"} {
		m := wrapperspb.String(text)
		mark.Set(m, message.Number(0, 1))
		_, err := proto.Marshal(m)
		assert.NoError(t, err, text)
		assert.Equal(t, message.Number(0, 1), mark.Get(m))
	}
}

func TestFieldsThatHoldNoNumber(t *testing.T) {
	const cannot = " cannot hold the number of a call: it takes a number, a string or bytes, outside of lists, maps and oneofs"
	bench := func(name string) error { _, err := markOf[pb.BenchMessage](name, true); return err }
	value := func(name string) error { _, err := markOf[structpb.Value](name, true); return err }
	field := func(name string) error { _, err := markOf[descriptorpb.FieldDescriptorProto](name, true); return err }
	assert.EqualError(t, bench("field5"), "field field5 of rpcbench.BenchMessage"+cannot, "a list")
	assert.EqualError(t, bench("field12"), "field field12 of rpcbench.BenchMessage"+cannot, "a bool")
	assert.EqualError(t, bench("field8"), "field field8 of rpcbench.BenchMessage is not there")
	assert.EqualError(t, value("string_value"), "field string_value of google.protobuf.Value"+cannot, "a part of a oneof")
	assert.EqualError(t, field("type"), "field type of google.protobuf.FieldDescriptorProto"+cannot, "an enum")
	assert.EqualError(t, field("options"), "field options of google.protobuf.FieldDescriptorProto"+cannot, "a message")
}

// TestSharedMessages are the same as the samples, and a number changes none of these.
func TestSharedMessages(t *testing.T) {
	unknown := message.Filled[pb.BenchMessage](1)[0]
	unknown.ProtoReflect().SetUnknown([]byte{0xf8, 0x7f, 1})
	for about, sample := range map[string]*pb.BenchMessage{"all fields": message.Filled[pb.BenchMessage](1)[0], "none": {}, "unknown fields": unknown} {
		t.Run(about, func(t *testing.T) {
			want := proto.Clone(sample)
			shared := new(pb.BenchMessage)
			sharer([]*pb.BenchMessage{sample})(shared, sample)
			assert.True(t, proto.Equal(want, shared))
			mark, err := markOf[pb.BenchMessage]("field22", false)
			require.NoError(t, err)
			mark.Set(shared, message.Number(0, 1))
			assert.True(t, proto.Equal(want, sample), "the sample stays as it was")
		})
	}
}

func TestWrongSamples(t *testing.T) {
	bench := encoded(t, message.Filled[pb.BenchMessage](1)[0])
	for want, s := range map[string]Samples{
		"msg=Order: there are no requests to send":                 {},
		"msg=Order: requests: sample 2: unexpected EOF":            {Requests: append(bytes.Clone(bench), 5)},
		"msg=Order: field x of rpcbench.BenchMessage is not there": {Requests: bench, Field: "x"},
	} {
		s.Name = "Order"
		assert.EqualError(t, Protobuf[pb.BenchMessage, pb.BenchMessage](s).Sent().Fault, want)
	}
	assert.EqualError(t, Protobuf[pb.BenchMessage, pb.EchoMessage](Samples{Name: "Order", Requests: bench}).Sent().Fault, "msg=Order: there are no replies, and a request is not one")
	assert.ErrorContains(t, Protobuf[pb.BenchMessage, pb.EchoMessage](Samples{Name: "Order", Requests: bench, Replies: []byte{3, 1}}).Sent().Fault, "msg=Order: replies: sample 1: ")
}

func BenchmarkShare(b *testing.B) {
	sample, share := message.Filled[pb.BenchMessage](1)[0], sharer([]*pb.BenchMessage{{}})
	for b.Loop() {
		share(new(pb.BenchMessage), sample)
	}
}

func BenchmarkMark(b *testing.B) {
	mark, err := markOf[pb.BenchMessage]("field22", true)
	require.NoError(b, err)
	m := message.Filled[pb.BenchMessage](1)[0]
	for b.Loop() {
		mark.Set(m, 100001)
	}
}
