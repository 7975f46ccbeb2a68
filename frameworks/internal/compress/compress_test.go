package compress_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"runtime"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
)

func codecs() []*compress.Codec {
	return []*compress.Codec{compress.Gzip(), compress.Zstd(), compress.Snappy()}
}

// messages are those that both forms must carry.
func messages() map[string][]byte {
	random := make([]byte, 100_000)
	rand.Read(random)
	return map[string][]byte{
		"an empty one":           {},
		"a byte":                 {1},
		"text":                   bytes.Repeat([]byte("what compresses "), 64),
		"bytes that do not":      random,
		"very many equal bytes":  make([]byte, 1<<20),
		"more than a few blocks": bytes.Repeat(random, 8),
	}
}

// A pool hands out what was used before, so each message goes through twice.
func TestStreams(t *testing.T) {
	for _, c := range codecs() {
		for about, msg := range messages() {
			for range 2 {
				assert.True(t, bytes.Equal(msg, received(t, c, sent(t, c, msg))), "%s: %s", c.Name(), about)
			}
		}
	}
}

func sent(t *testing.T, c *compress.Codec, msg []byte) []byte {
	var b bytes.Buffer
	w, err := c.Compress(&b)
	require.NoError(t, err)
	_, err = w.Write(msg)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func received(t *testing.T, c *compress.Codec, src []byte) []byte {
	r, err := c.Decompress(iotest.HalfReader(bytes.NewReader(src)))
	require.NoError(t, err)
	msg, err := io.ReadAll(r)
	require.NoError(t, err)
	return msg
}

func TestWholeMessages(t *testing.T) {
	for _, c := range codecs() {
		for about, msg := range messages() {
			got, err := c.Decode(c.Encode(msg))
			require.NoError(t, err, "%s: %s", c.Name(), about)
			assert.True(t, bytes.Equal(msg, got), "%s: %s", c.Name(), about)
		}
	}
}

func TestTextGetsSmaller(t *testing.T) {
	text := bytes.Repeat([]byte("what compresses "), 64)
	for _, c := range codecs() {
		assert.Less(t, len(c.Encode(text)), len(text)/4, c.Name())
		assert.Less(t, len(sent(t, c, text)), len(text)/4, c.Name())
	}
}

// Callers with pools of their own reset what they have closed, as connect does.
func TestReset(t *testing.T) {
	for _, c := range codecs() {
		w, r := c.NewWriter(), c.NewReader()
		for _, text := range []string{"first", "second"} {
			var b bytes.Buffer
			w.Reset(&b)
			_, err := io.WriteString(w, text)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			w.Reset(io.Discard)
			require.NoError(t, r.Reset(&b))
			got, err := io.ReadAll(r)
			require.NoError(t, err)
			assert.Equal(t, text, string(got), c.Name())
			require.NoError(t, r.Close())
			r.Reset(bytes.NewReader(nil))
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	msg := bytes.Repeat([]byte("together "), 1000)
	for _, c := range codecs() {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 20 {
					assert.Equal(t, msg, received(t, c, sent(t, c, msg)), c.Name())
					got, err := c.Decode(c.Encode(msg))
					assert.NoError(t, err)
					assert.Equal(t, msg, got, c.Name())
				}
			})
		}
		all.Wait()
	}
}

// What an input announces is not allocated before it has come.
func TestBrokenInput(t *testing.T) {
	const announced = 256 << 20
	// A frame of zstd of one segment with a size of four bytes, and a block of snappy.
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x10, 1, 0, 0}
	block := []byte{0x80, 0x80, 0x80, 0x80, 1, 0}
	n, err := snappy.DecodedLen(block)
	require.NoError(t, err)
	require.Equal(t, announced, n)
	var h zstd.Header
	require.NoError(t, h.Decode(frame))
	require.EqualValues(t, announced, h.FrameContentSize)
	for _, c := range codecs() {
		for _, row := range []struct {
			about string
			src   []byte
		}{
			{"a size that does not come", map[string][]byte{"zstd": frame, "snappy": block}[c.Name()]}, // gzip announces none
			{"a message that is cut off", c.Encode(make([]byte, 1000))[:5]},
			{"no message", []byte("no message")},
		} {
			before := allocated()
			_, err := c.Decode(row.src)
			assert.Error(t, err, "%s: %s", c.Name(), row.about)
			r, err := c.Decompress(bytes.NewReader(row.src))
			if err == nil {
				_, err = io.ReadAll(r)
			}
			assert.Error(t, err, "%s: %s, as a stream", c.Name(), row.about)
			assert.Less(t, allocated()-before, uint64(announced/4), "%s: %s", c.Name(), row.about)
		}
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestNamed(t *testing.T) {
	for _, name := range []string{"gzip", "zstd", "snappy"} {
		assert.Equal(t, name, compress.Named(name).Name())
	}
	assert.Nil(t, compress.Named(""))
}
