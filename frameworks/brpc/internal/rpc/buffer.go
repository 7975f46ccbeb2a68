package rpc

import "sync"

// maxKept is the size in bytes of the largest buffer that is used again.
const maxKept = 8 << 20

// buffer is memory for a frame. The last function that uses it frees it.
type buffer struct{ b []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func newBuffer() *buffer { return buffers.Get().(*buffer) }

func (b *buffer) free() {
	if cap(b.b) <= maxKept {
		b.b = b.b[:0]
		buffers.Put(b)
	}
}
