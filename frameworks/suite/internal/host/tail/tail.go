// Package tail keeps the end of what a process prints, for messages.
package tail

import "sync"

// Most is how many bytes are kept.
const Most = 16 << 10

// Tail keeps the last Most bytes that were written to it. The zero value is ready to
// use.
type Tail struct {
	mu  sync.Mutex
	buf []byte
	cut bool // bytes were dropped
}

// Write implements io.Writer. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if n > Most {
		p, t.cut = p[n-Most:], true
	}
	if over := len(t.buf) + len(p) - Most; over > 0 {
		t.buf, t.cut = append(t.buf[:0], t.buf[over:]...), true
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

// String returns what was kept, with "..." before it if bytes were dropped.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cut {
		return "..." + string(t.buf)
	}
	return string(t.buf)
}
