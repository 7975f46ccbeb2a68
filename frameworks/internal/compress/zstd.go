package compress

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the largest window of a stream that is decompressed: that of the default
// level, and the least that every decoder must take by RFC 8878.
const maxWindow = 8 << 20

// Zstd returns github.com/klauspost/compress/zstd at its default level. A stream is
// compressed by the goroutine that writes it.
var Zstd = sync.OnceValue(func() *Codec {
	c := &Codec{name: "zstd", newWriter: func() Writer { return newEncoder() }, newReader: func() Reader { return zstdReader{newDecoder(1)} }}
	whole, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true))
	must(err)
	c.encode = func(src []byte) []byte { return whole.EncodeAll(src, nil) }
	c.decode = decodeZstd(newDecoder(0))
	return c
})

func newEncoder() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
	must(err)
	return e
}

// newDecoder returns a decoder for this number of procs; 0 for all.
func newDecoder(procs int) *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(procs), zstd.WithDecoderMaxWindow(maxWindow),
		zstd.WithDecoderMaxMemory(MaxMessage), zstd.WithDecodeBuffersBelow(0))
	must(err)
	return d
}

// must panics: NewWriter and NewReader fail only for options that contradict each other.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// likely is how many times as large as its compressed form a message may say that it is,
// to have its memory at once.
const likely = 64

// decodeZstd decodes in one go what says its size. A message that says it is more than
// likely times as large as its compressed form is decompressed as a stream, which allocates
// only what has come.
func decodeZstd(d *zstd.Decoder) func(src []byte) (msg []byte, ok bool, err error) {
	return func(src []byte) (msg []byte, ok bool, err error) {
		var h zstd.Header
		if err := h.Decode(src); err != nil || !h.HasFCS || h.FrameContentSize > likely*uint64(len(src)) {
			return nil, false, err
		}
		msg, err = d.DecodeAll(src, nil)
		return msg, true, err
	}
}

// zstdReader is a decoder that can be used again after Close.
type zstdReader struct{ *zstd.Decoder }

// Close implements io.Closer.
func (r zstdReader) Close() error { return r.Reset(nil) }
