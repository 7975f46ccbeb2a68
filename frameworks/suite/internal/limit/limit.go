// Package limit bounds what is read of a peer, and how long code of others may take.
package limit

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrEndless is the error of what does not return.
var ErrEndless = errors.New("it did not return")

// Time does something, and waits for it no longer than most. What takes longer is left to
// itself: nothing ends a goroutine.
func Time(most time.Duration, do func() error) error {
	_, err := Get(most, func() (struct{}, error) { return struct{}{}, do() }, func(struct{}) {})
	return err
}

// Get is Time for what returns a value. A value that comes too late is handed to late.
func Get[T any](most time.Duration, get func() (T, error), late func(T)) (value T, err error) {
	type got struct {
		value T
		err   error
	}
	done := make(chan got, 1)
	go func() {
		value, err := get()
		done <- got{value, err}
	}()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case g := <-done:
		return g.value, g.err
	case <-timer.C:
		go func() {
			if g := <-done; g.err == nil {
				late(g.value)
			}
		}()
		return value, fmt.Errorf("%w within %v", ErrEndless, most)
	}
}

// ToOpen is how long it may take to open n connections or streams, one after another, whose
// peer answers within patience: as long as a busy machine takes.
func ToOpen(patience time.Duration, n int) time.Duration {
	const beyond, each = 10 * time.Second, 100 * time.Millisecond
	return patience + beyond + time.Duration(n)*each
}

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
