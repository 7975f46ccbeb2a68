package dynamic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/codecs/rpc/plain"
	"github.com/rpcbench/rpcbench/codecs/rpc/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

var plainCodecs = []dynamic.Codec{dynamic.Gob, dynamic.JSON, dynamic.Msgpack}

// A decoded message equals the original, even after the data has been overwritten.
func TestPlainMessagesComeBack(t *testing.T) {
	bench := new(plain.BenchMessage)
	framework.Fill(bench)
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
	framework.Fill(bench)
	got := roundTrip(t, dynamic.Protobuf, bench, new(protobuf.BenchMessage))
	assert.True(t, proto.Equal(bench, got.(proto.Message)))
}

func TestProtobufRefusesOthers(t *testing.T) {
	_, err := dynamic.Protobuf.Marshal(&plain.EchoMessage{})
	assert.ErrorContains(t, err, "*plain.EchoMessage is no protobuf message")
	assert.ErrorContains(t, dynamic.Protobuf.Unmarshal(nil, 1), "int is no protobuf message")
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
