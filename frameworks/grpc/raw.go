package grpc

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// rawKind sends bytes without a serializer.
var rawKind = kind{
	name: "raw", carries: framework.Bytes, about: "; a CodecV2 passes bytes through; the server sends gRPC's own buffers back",
	register: describe(
		streamer(service[framework.EchoMessage, struct{}, struct{}]{native.Raw}),
		unary("Echo", func(_ context.Context, req *mem.BufferSlice) (*mem.BufferSlice, error) {
			count.Call()
			return req, nil
		}),
		unary("Fail", func(_ context.Context, req *mem.BufferSlice) (*mem.BufferSlice, error) {
			req.Free()
			_, err := handler.Echo(handler.ActionFail, nil)
			return nil, err
		}),
	),
	server: []grpc.ServerOption{grpc.ForceServerCodecV2(raw{})},
	calls:  []grpc.CallOption{grpc.ForceCodecV2(raw{})},
	hello:  func() (req, reply any) { return new([]byte), new([]byte) },
	client: func(conns []*grpc.ClientConn) framework.Client { return &rawClient{conns} },
}

// raw implements encoding.CodecV2 for bytes. A client's messages are *[]byte: requests
// are sent as they are, and replies get fresh memory. A server's messages are
// *mem.BufferSlice. The server holds gRPC's buffers until it has sent the reply, which
// consists of the same buffers. The messages of a stream are *framework.EchoMessage on
// both sides, see packAction.
type raw struct{}

// Marshal implements encoding.CodecV2.
func (raw) Marshal(v any) (mem.BufferSlice, error) {
	switch m := v.(type) {
	case *[]byte:
		return mem.BufferSlice{mem.SliceBuffer(*m)}, nil
	case *mem.BufferSlice:
		return *m, nil // gRPC frees the reference that Unmarshal took
	case *framework.EchoMessage:
		return packAction(m), nil
	}
	return nil, errNotRaw
}

// Unmarshal implements encoding.CodecV2.
func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	switch m := v.(type) {
	case *[]byte:
		*m = data.Materialize()
		return nil
	case *mem.BufferSlice:
		data.Ref()
		*m = data
		return nil
	case *framework.EchoMessage:
		return unpackAction(data.Materialize(), m)
	}
	return errNotRaw
}

// packAction puts the length of the action, as a byte, and the action before the bytes.
// It copies the bytes, because gRPC writes them after Send has returned.
func packAction(m *framework.EchoMessage) mem.BufferSlice {
	action := append([]byte{byte(len(m.Action))}, m.Action...)
	return mem.BufferSlice{mem.SliceBuffer(action), mem.Copy(m.Msg, mem.DefaultBufferPool())}
}

// unpackAction undoes packAction. The message keeps b.
func unpackAction(b []byte, m *framework.EchoMessage) error {
	if len(b) == 0 || len(b) <= int(b[0]) {
		return errNotRaw
	}
	end := 1 + int(b[0])
	m.Action, m.Msg = string(b[1:end]), b[end:]
	return nil
}

var errNotRaw = errors.New("grpc: the message is not raw bytes")

// Name implements encoding.CodecV2.
func (raw) Name() string { return "raw" }
