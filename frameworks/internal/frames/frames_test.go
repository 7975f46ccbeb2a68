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

// A frame as long as one that has arrived before is read in one step, into memory that
// is allocated once; one that has not arrived counts for nothing.
func TestMemoryOfAConnection(t *testing.T) {
	const first, long = 1 << 10, 100 << 10
	for _, tt := range []struct {
		about         string
		before, there int // the length of the frame before, and how much of it arrives
		step          int // the first of the frame of 2*long
	}{
		{"after none", 0, 0, first},
		{"after a long one", long, long, long},
		{"after one as long", 2 * long, 2 * long, 2 * long},
		{"after one that was cut off", 2 * long, long, first},
	} {
		var m Memory
		m.Append(nil, &countingReader{left: tt.there}, tt.before, first)
		r := &countingReader{left: tt.step}
		_, err := m.Append(nil, r, 2*long, first)
		assert.Equal(t, tt.step < 2*long, err != nil, tt.about)
		assert.Equal(t, tt.step, r.asked, tt.about)
	}
}

// countingReader ends after some bytes, and notes the most bytes that were asked for at
// once, which is what was allocated for them, and those of the first read.
type countingReader struct{ left, most, asked int }

func (r *countingReader) Read(p []byte) (int, error) {
	if r.most == 0 {
		r.asked = len(p)
	}
	r.most = max(r.most, len(p))
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left)
	r.left -= n
	return n, nil
}
