package frames

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAppend(t *testing.T) {
	sent := make([]byte, 1000)
	for i := range sent {
		sent[i] = byte(rand.Uint32())
	}
	for _, tt := range []struct {
		about    string
		b        []byte
		n, first int
		most     int // capacity afterwards
	}{
		{"nothing", nil, 0, 10, 0},
		{"all in the first step", nil, 10, 10, 10},
		{"a byte more is another step", nil, 11, 10, 11},
		{"many steps", nil, 1000, 1, 1000},
		{"memory that is there is used", make([]byte, 0, 1000), 1000, 1, 1000},
		{"and used in part", make([]byte, 0, 500), 20, 1, 500},
		{"what was there before stays", []byte("before"), 900, 7, 906},
	} {
		got, err := Append(tt.b, iotest.HalfReader(bytes.NewReader(sent)), tt.n, tt.first)
		require.NoError(t, err, tt.about)
		assert.Equal(t, string(tt.b)+string(sent[:tt.n]), string(got), tt.about)
		assert.Equal(t, tt.most, cap(got), tt.about)
	}
}

// A peer that tells a length and sends less gets memory for what it has sent, up to
// eight times.
func TestMemoryFollowsWhatArrives(t *testing.T) {
	const first, gib = 1 << 10, 1 << 30
	for _, arrives := range []int{0, 1, first - 1, first, 8*first - 1, 8 * first, 100 * first} {
		var r countingReader
		r.left = arrives
		got, err := Append(nil, &r, gib, first)
		assert.True(t, errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF), "%v", err)
		assert.LessOrEqual(t, len(got), arrives)
		assert.LessOrEqual(t, r.most, max(first, 8*arrives), "%d bytes arrive", arrives)
	}
}

// countingReader ends after some bytes, and notes the most bytes that were asked for at
// once, which is what was allocated for them.
type countingReader struct{ left, most int }

func (r *countingReader) Read(p []byte) (int, error) {
	r.most = max(r.most, len(p))
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left)
	r.left -= n
	return n, nil
}
