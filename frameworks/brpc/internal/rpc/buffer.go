package rpc

import "sync"

// maxKept is the largest buffer in bytes that is used again.
const maxKept = 2 << 20

// buffer is memory for a frame on its way. Who has it last frees it.
type buffer struct{ b []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func newBuffer() *buffer { return buffers.Get().(*buffer) }

func (b *buffer) free() {
	if cap(b.b) <= maxKept {
		b.b = b.b[:0]
		buffers.Put(b)
	}
}
