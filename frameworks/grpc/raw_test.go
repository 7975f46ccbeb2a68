package grpc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/mem"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// pool counts the buffers that are returned to it.
type pool struct{ returned int }

func (*pool) Get(n int) *[]byte { b := make([]byte, n); return &b }
func (p *pool) Put(*[]byte)     { p.returned++ }

// received is a message of two buffers of gRPC's.
func received(p *pool) mem.BufferSlice {
	first, second := make([]byte, 4096), make([]byte, 4096)
	first[0], second[0] = 1, 2
	return mem.BufferSlice{mem.NewBuffer(&first, p), mem.NewBuffer(&second, p)}
}

func TestRawServerKeepsBuffersUntilItHasReplied(t *testing.T) {
	var p pool
	data := received(&p)
	var req mem.BufferSlice
	require.NoError(t, raw{}.Unmarshal(data, &req))
	data.Free() // as gRPC does then
	assert.Zero(t, p.returned)
	reply, err := raw{}.Marshal(&req)
	require.NoError(t, err)
	assert.Equal(t, 8192, reply.Len())
	reply.Free() // as gRPC does when it has sent it
	assert.Equal(t, 2, p.returned)
}

func TestRawClientCopiesReplies(t *testing.T) {
	var p pool
	data := received(&p)
	var reply []byte
	require.NoError(t, raw{}.Unmarshal(data, &reply))
	data.Free()
	assert.Equal(t, 2, p.returned)
	assert.Len(t, reply, 8192)
	assert.Equal(t, []byte{1, 2}, []byte{reply[0], reply[4096]})
}

func TestRawRefusesMessages(t *testing.T) {
	_, err := raw{}.Marshal("text")
	assert.ErrorIs(t, err, errNotRaw)
	assert.ErrorIs(t, raw{}.Unmarshal(nil, new(string)), errNotRaw)
}

// gRPC writes a message after Send has returned, so it gets a copy.
func TestRawStreamMessages(t *testing.T) {
	for _, sent := range []framework.EchoMessage{
		{Action: handler.ActionSum, Msg: []byte{}},
		{Msg: []byte("x")},
		{Action: handler.ActionEcho, Msg: make([]byte, 8192)},
	} {
		want := framework.EchoMessage{Action: sent.Action, Msg: append([]byte{}, sent.Msg...)}
		data, err := raw{}.Marshal(&sent)
		require.NoError(t, err)
		for i := range sent.Msg {
			sent.Msg[i]++
		}
		var got framework.EchoMessage
		require.NoError(t, raw{}.Unmarshal(data, &got))
		assert.Equal(t, want, got)
	}
	for _, data := range []string{"", "\x01"} {
		assert.ErrorIs(t, raw{}.Unmarshal(mem.BufferSlice{mem.SliceBuffer(data)}, new(framework.EchoMessage)), errNotRaw, "%q", data)
	}
}
