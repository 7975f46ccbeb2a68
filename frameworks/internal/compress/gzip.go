package compress

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"
)

// Gzip returns compress/gzip at its default level.
var Gzip = sync.OnceValue(func() *Codec {
	c := &Codec{
		name:      "gzip",
		newWriter: func() Writer { return gzip.NewWriter(io.Discard) },
		newReader: func() Reader { return gzipReader{new(gzip.Reader)} },
		decode:    func([]byte) (msg []byte, ok bool, err error) { return nil, false, nil },
	}
	c.encode = func(src []byte) []byte {
		var b bytes.Buffer
		w, _ := c.Compress(&b) // memory never fails
		w.Write(src)
		w.Close()
		return b.Bytes()
	}
	return c
})

// gzipReader is a gzip.Reader whose Close forgets the source.
type gzipReader struct{ *gzip.Reader }

// Close implements io.Closer.
func (r gzipReader) Close() error {
	err := r.Reader.Close()
	_ = r.Reset(bytes.NewReader(nil)) // io.EOF
	return err
}
