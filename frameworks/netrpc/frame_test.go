package netrpc

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"net"
	"net/rpc"
	"runtime"
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

// header is the beginning of a frame that claims these lengths.
func header(method, failure, message uint32) []byte {
	h := make([]byte, 8, headerLen)
	for _, n := range []uint32{method, failure, message} {
		h = binary.LittleEndian.AppendUint32(h, n)
	}
	return h
}

func TestFramesOverTheLargest(t *testing.T) {
	const all = math.MaxUint32
	for _, row := range []struct {
		about                    string
		method, failure, message uint32
		say                      string
	}{
		{"all that a header can claim", all, all, all, "netrpc: a frame of 12884901885 bytes is over the largest, 268500992 bytes"},
		{"the message alone", 0, 0, all, "a frame of 4294967295 bytes"},
		{"the method alone", all, 0, 0, "a frame of 4294967295 bytes"},
		{"a byte too many", 1, 0, maxFrame, "a frame of 268500993 bytes"},
		{"the most, of which nothing comes", 0, 0, maxFrame, io.ErrUnexpectedEOF.Error()},
	} {
		var w wire
		w.Write(header(row.method, row.failure, row.message))
		assert.ErrorContains(t, newServerCodec(&w, dynamic.JSON).ReadRequestHeader(new(rpc.Request)), row.say, row.about)
	}
}

// constant encodes everything as the same bytes.
type constant struct {
	dynamic.Codec
	message []byte
}

func (c constant) Marshal(any) ([]byte, error) { return c.message, nil }

func TestMessagesOverTheLargestAreNotSent(t *testing.T) {
	const say = "netrpc: a message of 268439553 bytes is over the largest, 268439552 bytes"
	c := constant{message: make([]byte, maxMessage+1)}
	var w wire
	assert.EqualError(t, newClientCodec(&w, c).WriteRequest(new(rpc.Request), nil), say)
	assert.Zero(t, w.Len())
	require.NoError(t, newServerCodec(&w, c).WriteResponse(new(rpc.Response), nil))
	var got rpc.Response
	require.NoError(t, newClientCodec(&w, dynamic.JSON).ReadResponseHeader(&got))
	assert.Equal(t, say, got.Error, "the caller learns it")
}

// Peers that claim much and send nothing, on either side, cost little memory.
func TestMemoryOfFramesThatDoNotArrive(t *testing.T) {
	const peers = 30
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, claim := range []uint32{maxFrame, math.MaxUint32} {
		s := serveFramed(t)
		for range peers {
			garble(t, s, header(0, 0, claim))
		}
		for range peers {
			callGarbler(t, header(0, 0, claim))
		}
	}
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), "maxFrame is %d", maxFrame)
}

func serveFramed(t *testing.T) (addr string) {
	s, err := serve("127.0.0.1:0", framed(dynamic.Msgpack, plain.Kind))
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s.Addr()
}

// garble sends bytes to a server, and waits until it hangs up.
func garble(t *testing.T, addr string, bytes []byte) {
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer c.Close()
	c.Write(bytes)
	c.(*net.TCPConn).CloseWrite()
	io.Copy(io.Discard, c)
}

// callGarbler makes a call to a server that answers with bytes and hangs up.
func callGarbler(t *testing.T, bytes []byte) {
	client, server := net.Pipe()
	go func() {
		server.Read(make([]byte, 1000))
		server.Write(bytes)
		server.Close()
	}()
	c := rpc.NewClientWithCodec(newClientCodec(client, dynamic.Msgpack))
	defer c.Close()
	assert.Error(t, c.Call(methodEcho, new(plain.EchoMessage), new(plain.EchoMessage)))
}
