// Package limit bounds what is read of a peer.
package limit

import (
	"fmt"
	"io"
)

// Reader returns a reader of r whose error says that there is more than most bytes.
func Reader(r io.Reader, most int64) io.Reader { return &reader{r, most, most} }

type reader struct {
	r          io.Reader
	left, most int64
}

// Read implements io.Reader. It asks for a byte more than is allowed, which tells a
// text that ends there from one that goes on.
func (l *reader) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if int64(n) <= l.left {
		l.left -= int64(n)
		return n, err
	}
	n, l.left = int(l.left), 0
	return n, fmt.Errorf("more than %d bytes", l.most)
}
