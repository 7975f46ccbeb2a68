package http

import (
	"io"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// zipper compresses bodies, and decompresses those of requests. A nil zipper leaves them
// as they are.
type zipper struct{ *compress.Codec }

// newZipper returns nil unless gzip is one of the layers.
func newZipper(stack layer.Stack) *zipper {
	if stack.Compression() != layer.Gzip {
		return nil
	}
	return &zipper{compress.Gzip()}
}

// zip returns the compressed body, and says so in the header of the message.
func (z *zipper) zip(h http.Header, body []byte) []byte {
	if z == nil {
		return body
	}
	h.Set("Content-Encoding", z.Name())
	return z.Encode(body)
}

// read returns a body as it was before it was compressed.
func (z *zipper) read(h http.Header, body io.Reader) ([]byte, error) {
	b, err := io.ReadAll(body)
	if err != nil || z == nil || h.Get("Content-Encoding") != z.Name() {
		return b, err
	}
	return z.Decode(b)
}
