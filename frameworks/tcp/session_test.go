package tcp

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wire is the bytes of frames with payloads of these lengths.
func wire(lengths ...int) (b []byte) {
	for i, n := range lengths {
		payload := bytes.Repeat([]byte{byte(i + 1)}, n)
		b = append(appendHeader(b, frame{uint64(i), payload}), payload...)
	}
	return b
}

// echoed is what a session writes of data that is cut into pieces, each of which is
// overwritten after its call, as pollers do.
func echoed(t *testing.T, s *Session, data []byte, cut func() int) []byte {
	t.Helper()
	var out bytes.Buffer
	for len(data) > 0 {
		n := min(cut(), len(data))
		piece := bytes.Clone(data[:n])
		require.NoError(t, s.Echo(&out, piece))
		clear(piece)
		data = data[n:]
	}
	return out.Bytes()
}

func TestSessionEchoesWhatever(t *testing.T) {
	data := wire(0, 3, 100, 0, 1000, 1)
	for n := 1; n <= len(data); n++ {
		s := new(Session)
		require.Equal(t, data, echoed(t, s, data, func() int { return n }), "pieces of %d bytes", n)
		require.Empty(t, s.frame)
	}
	for range 100 {
		require.Equal(t, data, echoed(t, new(Session), data, func() int { return 1 + rand.IntN(300) }))
	}
}

// A part of a frame is not sent back before its end.
func TestSessionWaitsForAllOfAFrame(t *testing.T) {
	data := wire(5, 7)
	first := len(wire(5))
	for n := range data {
		got := echoed(t, new(Session), data[:n], func() int { return n })
		want := 0
		if n >= first {
			want = first
		}
		assert.Equal(t, data[:want], append([]byte{}, got...), "%d bytes", n)
	}
}

// countingWriter counts writes.
type countingWriter struct{ writes, bytes int }

func (w *countingWriter) Write(b []byte) (int, error) {
	w.writes, w.bytes = w.writes+1, w.bytes+len(b)
	return len(b), nil
}

// Frames that are whole take neither memory nor more than one write.
func TestSessionOfWholeFrames(t *testing.T) {
	data, s, w := wire(5, 7, 1000), new(Session), new(countingWriter)
	allocs := testing.AllocsPerRun(10, func() {
		*w = countingWriter{}
		s.Echo(w, data)
	})
	assert.Zero(t, allocs)
	assert.Equal(t, countingWriter{1, len(data)}, *w)
	assert.Nil(t, s.frame)
}

func TestSessionRefuses(t *testing.T) {
	header := appendHeader(nil, frame{1, make([]byte, MaxMessage+1)})
	for _, n := range []int{1, headerLen - 1, headerLen} {
		s, w := new(Session), new(countingWriter)
		err := s.Echo(w, header[:n])
		if err == nil {
			err = s.Echo(w, header[n:])
		}
		assert.ErrorContains(t, err, "over MaxMessage", "after %d bytes", n)
	}
}

// A header alone, which may claim anything, takes the memory of a first step, and one whose
// frame was longer than what is kept leaves none.
func TestSessionMemory(t *testing.T) {
	s, w := new(Session), new(countingWriter)
	head := appendHeader(nil, frame{1, make([]byte, 2*maxKept)})
	require.NoError(t, s.Echo(w, head))
	assert.Equal(t, firstRead, cap(s.frame))
	piece := []byte(strings.Repeat("x", 1<<20))
	for sent := 0; sent < 2*maxKept; sent += len(piece) {
		require.NoError(t, s.Echo(w, piece))
	}
	assert.Equal(t, countingWriter{1, headerLen + 2*maxKept}, *w)
	assert.Zero(t, cap(s.frame))
	require.NoError(t, s.Echo(w, head))
	assert.Equal(t, headerLen+2*maxKept, cap(s.frame), "one as long has arrived")
}
