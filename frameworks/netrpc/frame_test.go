package netrpc

import (
	"bytes"
	"io"
	"net/rpc"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
)

// wire is a connection whose two ends are one buffer.
type wire struct{ bytes.Buffer }

func (*wire) Close() error { return nil }

func TestRequestsAreFramed(t *testing.T) {
	var w wire
	client, server := newClientCodec(&w, dynamic.Msgpack), newServerCodec(&w, dynamic.Msgpack)
	sent := []plain.EchoMessage{{Action: "a"}, {Msg: make([]byte, 10000)}, {}}
	for i := range sent {
		require.NoError(t, client.WriteRequest(&rpc.Request{Seq: uint64(i), ServiceMethod: "Bencher.Echo"}, &sent[i]))
	}
	for i := range sent {
		var r rpc.Request
		require.NoError(t, server.ReadRequestHeader(&r))
		assert.Equal(t, rpc.Request{Seq: uint64(i), ServiceMethod: "Bencher.Echo"}, r)
		var got plain.EchoMessage
		require.NoError(t, server.ReadRequestBody(&got))
		assert.Equal(t, sent[i], got)
	}
	assert.ErrorIs(t, server.ReadRequestHeader(&rpc.Request{}), io.EOF)
}

func TestResponsesAreFramed(t *testing.T) {
	var w wire
	client, server := newClientCodec(&w, dynamic.Protobuf), newServerCodec(&w, dynamic.Protobuf)
	for _, row := range []struct {
		about string
		sent  rpc.Response
		body  any
		want  string
	}{
		{"an error comes without a message", rpc.Response{Seq: 1, ServiceMethod: "m", Error: "failed"}, struct{}{}, "failed"},
		{"a reply that cannot be encoded is an error", rpc.Response{Seq: 2}, struct{}{}, "struct {} is no protobuf message"},
	} {
		require.NoError(t, server.WriteResponse(&row.sent, row.body))
		var got rpc.Response
		require.NoError(t, client.ReadResponseHeader(&got))
		assert.NoError(t, client.ReadResponseBody(nil))
		row.sent.Error = row.want
		assert.Equal(t, row.sent, got, row.about)
	}
}

func TestFrameCutOff(t *testing.T) {
	var whole wire
	require.NoError(t, newFraming(&whole, dynamic.JSON).write(1, "method", "error", []byte("message")))
	for n := 1; n < whole.Len(); n++ {
		var part wire
		part.Write(whole.Bytes()[:n])
		_, _, _, err := newFraming(&part, dynamic.JSON).read()
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "%d bytes", n)
	}
}
