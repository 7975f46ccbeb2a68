package grpc

import (
	"context"
	"errors"

	"google.golang.org/grpc"
	"google.golang.org/grpc/mem"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

var rawMethods = native.RawMethods{Echo: methodEcho, Fail: "/" + serviceName + "/Fail"}

// rawKind is bytes without a serializer.
var rawKind = kind{
	name: "raw", carries: framework.Bytes, about: "; a CodecV2 passes bytes through; the server sends gRPC's own buffers back",
	register: describe(
		streamer(service[framework.EchoMessage, struct{}]{native.Raw}),
		unary("Echo", func(_ context.Context, req *mem.BufferSlice) (*mem.BufferSlice, error) { return req, nil }),
		unary("Fail", func(_ context.Context, req *mem.BufferSlice) (*mem.BufferSlice, error) {
			req.Free()
			return nil, framework.HandleEcho(framework.ActionFail)
		}),
	),
	server: []grpc.ServerOption{grpc.ForceServerCodecV2(raw{})},
	calls:  []grpc.CallOption{grpc.ForceCodecV2(raw{})},
	hello:  func() (req, reply any) { return new([]byte), new([]byte) },
	client: func(conns []*grpc.ClientConn) framework.Client { return &rawClient{conns} },
}

// raw implements encoding.CodecV2 over bytes. A client's messages are *[]byte:
// requests are sent as they are and replies get memory of their own. A server's
// are *mem.BufferSlice, in which it keeps gRPC's buffers from being used again
// until the reply, made of the same ones, has been sent. The messages of a stream
// are *framework.EchoMessage on both sides, see packAction.
type raw struct{}

// Marshal implements encoding.CodecV2.
func (raw) Marshal(v any) (mem.BufferSlice, error) {
	switch m := v.(type) {
	case *[]byte:
		return mem.BufferSlice{mem.SliceBuffer(*m)}, nil
	case *mem.BufferSlice:
		return *m, nil // with the reference that Unmarshal took
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

// packAction puts a byte with the length of the action and the action before
// the bytes. These are copied, as gRPC writes them when Send has returned.
func packAction(m *framework.EchoMessage) mem.BufferSlice {
	action := append([]byte{byte(len(m.Action))}, m.Action...)
	return mem.BufferSlice{mem.SliceBuffer(action), mem.Copy(m.Msg, mem.DefaultBufferPool())}
}

// unpackAction is the way back. The message keeps b.
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
