// Package frames reads frames whose length a peer has told, which may be a lie.
package frames

import "io"

// growth is how many times what has arrived is allocated for what is still to come.
const growth = 8

// Append appends n bytes of r to b. Where b has no room it allocates in steps, since
// a peer that tells a length has not sent that much yet: first bytes before any has
// arrived, then up to growth times what has. A frame that fits into the first step
// costs one allocation. With an error it returns what had arrived before the last step.
func Append(b []byte, r io.Reader, n, first int) ([]byte, error) {
	for start := len(b); n > 0; {
		arrived := len(b) - start
		part := min(n, max(first, cap(b)-len(b), growth*arrived-arrived))
		end := len(b)
		b = extend(b, part)
		if _, err := io.ReadFull(r, b[end:]); err != nil {
			return b[:end], err
		}
		n -= part
	}
	return b, nil
}

// Room returns for how many bytes of a frame of n bytes there is memory when some have
// arrived, for readers that are handed them: first at least, as in Append.
func Room(n, arrived, first int) int { return min(n, max(first, growth*arrived)) }

// Memory reads the frames of one connection, and remembers the longest that has arrived.
// A connection that carries large messages so pays for the steps of Append once. The zero
// value is ready to use.
type Memory struct{ longest int }

// Append is as the function, but first is at least the length of the longest frame so far.
func (m *Memory) Append(b []byte, r io.Reader, n, first int) ([]byte, error) {
	b, err := Append(b, r, n, max(first, m.longest))
	if err == nil {
		m.longest = max(m.longest, n)
	}
	return b, err
}

// extend makes b longer by n bytes, whose content is undefined. If it has to allocate,
// it allocates exactly that length.
func extend(b []byte, n int) []byte {
	if len(b)+n > cap(b) {
		b = append(make([]byte, 0, len(b)+n), b...)
	}
	return b[:len(b)+n]
}
