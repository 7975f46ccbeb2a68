// Package bounded keeps what a child process prints. Nobody knows how much that is.
package bounded

import (
	"bytes"
	"fmt"
)

// The most bytes that are kept of a process.
const (
	Results  = 64 << 20 // of what must be whole, as package lines reads it
	Messages = 1 << 20  // of what somebody may read
)

// Buffer keeps whole lines from the beginning and from the end of what is written. It takes
// all, and memory for twice Most.
type Buffer struct {
	Most        int // bytes, 2 at least
	first, last []byte
	all         int64
}

// Write never fails.
func (b *Buffer) Write(p []byte) (int, error) {
	n, half := len(p), b.Most/2
	b.all += int64(n)
	if room := half - len(b.first); room > 0 {
		room = min(room, len(p))
		b.first, p = append(b.first, p[:room]...), p[room:]
	}
	p = p[max(len(p)-half, 0):]
	if len(b.last)+len(p) > b.Most {
		b.last = append(b.last[:0], b.last[len(b.last)-half:]...)
	}
	b.last = append(b.last, p...)
	return n, nil
}

// Err says that not all was kept. It is nil if all was.
func (b *Buffer) Err() error {
	if b.all <= int64(b.Most) {
		return nil
	}
	return fmt.Errorf("it printed %d bytes: more than %d MiB are not kept", b.all, b.Most>>20)
}

// Bytes returns what was written, or its beginning and its end with a line between them that
// says how much is left out.
func (b *Buffer) Bytes() []byte {
	if b.Err() == nil {
		return append(bytes.Clone(b.first), b.last...)
	}
	first, last := b.first, b.last[max(len(b.last)-b.Most/2, 0):]
	first = first[:bytes.LastIndexByte(first, '\n')+1]
	_, last, _ = bytes.Cut(last, []byte("\n"))
	left := b.all - int64(len(first)+len(last))
	return append(fmt.Appendf(bytes.Clone(first), "(%d bytes are left out)\n", left), last...)
}

// String is Bytes as a string.
func (b *Buffer) String() string { return string(b.Bytes()) }
