package arpc

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/lesismal/arpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorder is a handler that keeps the messages it gets.
type recorder struct {
	arpc.Handler
	got []string
}

func (r *recorder) OnMessage(_ *arpc.Client, m *arpc.Message) {
	r.got = append(r.got, string(m.Buffer))
}

func newFrame(body string) string {
	h := make([]byte, arpc.HeadLen)
	h[0], h[1] = byte(len(body)), byte(len(body)>>8)
	return string(h) + body
}

// The session delivers the same frames however the data is cut.
func TestSessionRead(t *testing.T) {
	frames := []string{newFrame("a"), newFrame(""), newFrame(strings.Repeat("b", 300)), newFrame("")}
	data := []byte(strings.Join(frames, ""))
	for size := 1; size <= len(data); size++ {
		r := &recorder{Handler: arpc.NewHandler()}
		s := &session{client: &arpc.Client{Handler: r}}
		for rest := data; len(rest) > 0; {
			n := min(size, len(rest))
			chunk := append([]byte(nil), rest[:n]...)
			require.NoError(t, s.read(chunk))
			clear(chunk) // the event loop reuses its buffer
			rest = rest[n:]
		}
		assert.Equal(t, frames, r.got, "chunks of %d bytes", size)
	}
}

func TestSessionReadTooLarge(t *testing.T) {
	h := arpc.NewHandler()
	h.SetMaxBodyLen(2)
	s := &session{client: &arpc.Client{Handler: h}}
	assert.ErrorContains(t, s.read([]byte(newFrame("abc"))), "over the limit, 2 bytes")
}

// Memory is taken as a frame arrives, not for what its header claims.
func TestSessionMemory(t *testing.T) {
	r := &recorder{Handler: arpc.NewHandler()}
	r.SetMaxBodyLen(maxBody)
	s := &session{client: &arpc.Client{Handler: r}}
	const body = firstRoom*growth + firstRoom // more than two steps
	header := make([]byte, arpc.HeadLen)
	binary.LittleEndian.PutUint32(header, body)
	require.NoError(t, s.read(header))
	assert.LessOrEqual(t, cap(s.frame), firstRoom)
	sent := make([]byte, body)
	for i := range sent {
		sent[i] = byte(i * 7 >> 3)
	}
	for from := 0; from < body; {
		to := min(from+1<<20, body)
		require.NoError(t, s.read(sent[from:to]))
		from = to
		assert.LessOrEqual(t, cap(s.frame), max(firstRoom, growth*(to+arpc.HeadLen)))
	}
	require.Len(t, r.got, 1)
	assert.True(t, string(header)+string(sent) == r.got[0])
	assert.Nil(t, s.frame)

	require.NoError(t, s.read(header))
	assert.Equal(t, arpc.HeadLen+body, cap(s.frame), "one as large has arrived")
}
