package compress

import (
	"io"
	"sync"

	"github.com/golang/snappy"
)

// Snappy returns github.com/golang/snappy. Streams have snappy's framing format.
var Snappy = sync.OnceValue(func() *Codec {
	return &Codec{
		name:      "snappy",
		newWriter: func() Writer { return snappy.NewBufferedWriter(io.Discard) },
		newReader: func() Reader { return snappyReader{snappy.NewReader(nil)} },
		encode:    func(src []byte) []byte { return snappy.Encode(nil, src) },
		decode:    decodeSnappy,
	}
})

// densest is how many bytes a byte of snappy's block format stands for at the most: a copy
// of 64 bytes takes three.
const densest = 22

func decodeSnappy(src []byte) (msg []byte, ok bool, err error) {
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return nil, false, err
	}
	if n > densest*len(src) {
		return nil, false, snappy.ErrCorrupt
	}
	if n > MaxMessage {
		return nil, false, errTooLarge
	}
	msg, err = snappy.Decode(nil, src)
	return msg, true, err
}

// snappyReader is a snappy.Reader whose methods return errors.
type snappyReader struct{ *snappy.Reader }

// Reset implements Reader.
func (r snappyReader) Reset(src io.Reader) error { r.Reader.Reset(src); return nil }

// Close implements io.Closer.
func (r snappyReader) Close() error { return r.Reset(nil) }
