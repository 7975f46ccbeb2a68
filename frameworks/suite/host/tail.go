package host

import "sync"

// tail keeps the last lastOutput bytes that were written to it. The zero value is
// ready to use.
type tail struct {
	mu  sync.Mutex
	buf []byte
	cut bool // bytes were dropped
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if n > lastOutput {
		p, t.cut = p[n-lastOutput:], true
	}
	if over := len(t.buf) + len(p) - lastOutput; over > 0 {
		t.buf, t.cut = append(t.buf[:0], t.buf[over:]...), true
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

// String returns what was kept, with "..." before it if bytes were dropped.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cut {
		return "..." + string(t.buf)
	}
	return string(t.buf)
}
