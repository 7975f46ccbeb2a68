package dynamic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/codecs/rpc/msgp"
	"github.com/rpcbench/rpcbench/codecs/rpc/plain"
	"github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

var plainCodecs = []dynamic.Codec{dynamic.Gob, dynamic.JSON, dynamic.Msgpack}

// A decoded message equals the original, even after the data has been overwritten.
func TestPlainMessagesComeBack(t *testing.T) {
	bench := new(plain.BenchMessage)
	message.Fill(bench)
	for _, c := range plainCodecs {
		t.Run(c.Name(), func(t *testing.T) {
			echo := &plain.EchoMessage{Action: "echo", Msg: []byte("payload")}
			assert.Equal(t, echo, roundTrip(t, c, echo, new(plain.EchoMessage)))
			assert.Equal(t, bench, roundTrip(t, c, bench, new(plain.BenchMessage)))
		})
	}
}

func TestProtobufMessagesComeBack(t *testing.T) {
	bench := new(protobuf.BenchMessage)
	message.Fill(bench)
	got := roundTrip(t, dynamic.Protobuf, bench, new(protobuf.BenchMessage))
	assert.True(t, proto.Equal(bench, got.(proto.Message)))
}

func TestMsgpMessagesComeBack(t *testing.T) {
	echo, bench := &msgp.EchoMessage{Action: "echo", Msg: []byte("payload")}, new(msgp.BenchMessage)
	message.Fill(bench)
	assert.Equal(t, echo, roundTrip(t, dynamic.Msgp, echo, new(msgp.EchoMessage)))
	assert.Equal(t, bench, roundTrip(t, dynamic.Msgp, bench, new(msgp.BenchMessage)))
}

// A message of msgp is one of msgpack, whose names of fields are the same.
func TestMsgpIsMsgpack(t *testing.T) {
	data, err := dynamic.Msgp.Marshal(&msgp.EchoMessage{Action: "echo", Msg: []byte("payload")})
	require.NoError(t, err)
	got := new(plain.EchoMessage)
	require.NoError(t, dynamic.Msgpack.Unmarshal(data, got))
	assert.Equal(t, &plain.EchoMessage{Action: "echo", Msg: []byte("payload")}, got)
}

// A list of msgp is not allocated because of its length alone, which is written before it.
func TestMsgpRefusesLongLists(t *testing.T) {
	const field5, length = "\x81\xa6field5\xdd", "\x00\x10\x00\x01"
	assert.ErrorContains(t, dynamic.Msgp.Unmarshal([]byte(field5+length), new(msgp.BenchMessage)), "limit")
}

func TestGeneratedMessagesAlone(t *testing.T) {
	for _, row := range []struct {
		codec dynamic.Codec
		say   string
	}{
		{dynamic.Protobuf, " is no protobuf message"},
		{dynamic.Msgp, " has no methods of msgp"},
	} {
		_, err := row.codec.Marshal(&plain.EchoMessage{})
		assert.ErrorContains(t, err, "*plain.EchoMessage"+row.say)
		assert.ErrorContains(t, row.codec.Unmarshal(nil, 1), "int"+row.say)
	}
}

func roundTrip(t *testing.T, c dynamic.Codec, in, out any) any {
	data, err := c.Marshal(in)
	require.NoError(t, err)
	require.NoError(t, c.Unmarshal(data, out))
	clear(data)
	return out
}

// Data that is cut off is an error, not an empty message.
func TestCodecsRefuseWhatIsCutOff(t *testing.T) {
	for _, c := range plainCodecs {
		data, err := c.Marshal(&plain.EchoMessage{Action: "echo", Msg: []byte("payload")})
		require.NoError(t, err)
		assert.Error(t, c.Unmarshal(data[:len(data)-1], new(plain.EchoMessage)), c.Name())
	}
}
