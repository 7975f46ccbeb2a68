package call

import "bytes"

// Of a payload up to wholeSize every byte is compared. Of a larger one as many bytes
// are: both ends, and a stretch between them that moves on from call to call.
const (
	wholeSize   = 32 << 10
	endSize     = 4 << 10
	stretchSize = wholeSize - 2*endSize
)

// stretch is where the next stretch begins, in bytes after the first end.
type stretch int

// startOf has the workers begin with different stretches of a payload of n bytes.
func startOf(worker, n int) stretch {
	stretches := max(n-2*endSize-1, 0)/stretchSize + 1
	return stretch(worker % stretches * stretchSize)
}

// equal compares two payloads of the same length.
func (s *stretch) equal(got, want []byte) bool {
	n := len(want)
	if n <= wholeSize {
		return bytes.Equal(got, want)
	}
	if endSize+int(*s) >= n-endSize { // the last payload was a larger one
		*s = 0
	}
	from, last := endSize+int(*s), n-endSize
	to := min(from+stretchSize, last)
	if *s += stretchSize; to == last {
		*s = 0
	}
	return bytes.Equal(got[:endSize], want[:endSize]) &&
		bytes.Equal(got[from:to], want[from:to]) &&
		bytes.Equal(got[last:], want[last:])
}
