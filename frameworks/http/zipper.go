package http

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// zipper compresses bodies, and decompresses those of requests. A nil zipper leaves them
// as they are.
type zipper struct{ writers, readers sync.Pool }

// newZipper returns nil unless gzip is one of the layers.
func newZipper(stack framework.Stack) *zipper {
	if stack.Compression() != framework.Gzip {
		return nil
	}
	return &zipper{
		writers: sync.Pool{New: func() any { return gzip.NewWriter(nil) }},
		readers: sync.Pool{New: func() any { return new(gzip.Reader) }},
	}
}

// zip returns the compressed body, and says so in the header of the message.
func (z *zipper) zip(h http.Header, body []byte) []byte {
	if z == nil {
		return body
	}
	h.Set("Content-Encoding", "gzip")
	var b bytes.Buffer
	w := z.writers.Get().(*gzip.Writer)
	defer z.writers.Put(w)
	w.Reset(&b)
	w.Write(body) // a buffer takes everything
	w.Close()
	return b.Bytes()
}

// read returns a body as it was before it was compressed.
func (z *zipper) read(h http.Header, body io.Reader) ([]byte, error) {
	if z == nil || h.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(body)
	}
	r := z.readers.Get().(*gzip.Reader)
	defer z.readers.Put(r)
	if err := r.Reset(body); err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
