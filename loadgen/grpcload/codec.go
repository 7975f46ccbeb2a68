package grpcload

import (
	"fmt"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

// codec sends requests that are encoded already. Servers see a client of Protocol Buffers.
type codec struct{}

var _ encoding.CodecV2 = codec{}

// replies are the replies of a call as they came. A nil *replies keeps none.
type replies [][]byte

// Name implements encoding.CodecV2.
func (codec) Name() string { return "proto" }

// Marshal implements encoding.CodecV2.
func (codec) Marshal(v any) (mem.BufferSlice, error) {
	request, is := v.(mem.Buffer)
	if !is {
		return nil, fmt.Errorf("grpcload: a request of type %T", v)
	}
	return mem.BufferSlice{request}, nil
}

// Unmarshal implements encoding.CodecV2.
func (codec) Unmarshal(data mem.BufferSlice, v any) error {
	kept, is := v.(*replies)
	if !is {
		return fmt.Errorf("grpcload: a reply of type %T", v)
	}
	if kept != nil {
		*kept = append(*kept, data.Materialize())
	}
	return nil
}
