package call

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Workers' requests differ, so that a reply to another worker's call is a wrong one.
func TestPayloadsOfWorkersDiffer(t *testing.T) {
	const workers = 5
	for _, c := range []struct {
		about string
		spec  Requests
	}{
		{"the smallest that have room for a number", Requests{Size: NumberSize}},
		{"small ones are copies", Requests{Size: 1000}},
		{"the largest that are copied", Requests{Size: numberedSize}},
		{"larger ones are slices of one array", Requests{Size: numberedSize + 1}},
		{"those of a client that converts them are copies", Requests{Size: numberedSize + 1, Converted: true}},
		{"also if they compress", Requests{Size: 1000, Compressible: true}},
	} {
		c.spec.Workers = workers
		requests := c.spec.Messages()
		assert.Len(t, requests, workers, c.about)
		for i, r := range requests {
			assert.Equal(t, []int{c.spec.Size, c.spec.Size}, []int{len(r.Msg), cap(r.Msg)}, c.about)
			for _, other := range requests[:i] {
				assert.False(t, bytes.Equal(other.Msg, r.Msg), "%s: worker %d", c.about, i)
			}
		}
	}
}

// A request that is written to changes no other one, nor does it share a cache line.
func TestSeparatePayloads(t *testing.T) {
	array := RandomBytes(200, 1)
	for _, size := range []int{1, 64, 65} {
		requests := Requests{Workers: 3, Size: size}.requestsOf(array)
		for i := range requests {
			assert.Equal(t, array[i:i+size], requests[i].Msg, "%d bytes of worker %d", size, i)
		}
		for i := range requests {
			clear(requests[i].Msg)
			for _, later := range requests[i+1:] {
				assert.NotEqual(t, make([]byte, size), later.Msg, "%d bytes", size)
			}
		}
	}
	assert.Equal(t, RandomBytes(200, 1), array, "the array stays")
}

func TestCompressiblePayloads(t *testing.T) {
	random := RandomBytes(200, 1)
	b := bytes.Clone(random)
	makeCompressible(b)
	for i := range b {
		if i%64 < 8 {
			assert.Equal(t, random[i], b[i], "byte %d", i)
		} else {
			assert.Equal(t, "abcdefgh"[i%8], b[i], "byte %d", i)
		}
	}
}

// The number that a payload begins with goes on in the next byte.
func TestIncrement(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"", ""},
		{"\x01", "\x02"},
		{"\xff", "\x00"},
		{"\xff\x01\x01", "\x00\x02\x01"},
		{"\xff\xff\x01", "\x00\x00\x02"},
		{"\xff\x01\x01\x01\x01\x01\x01\x01\xff", "\x00\x02\x01\x01\x01\x01\x01\x01\xff"},
	} {
		b := []byte(c.before)
		increment(b)
		assert.Equal(t, []byte(c.after), b, "%x", c.before)
	}
}
