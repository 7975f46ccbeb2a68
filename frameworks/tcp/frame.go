package tcp

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
)

// MaxMessage is the largest payload in bytes that either side accepts: 256 MiB, and
// room for what an encoding adds.
const MaxMessage = 256<<20 + 64<<10

// headerLen is the length in bytes of a frame's header: the length of the payload (32
// bits) and the id of the request (64 bits), both big-endian. A reply has the id of
// its request.
const headerLen = 4 + 8

// maxKept is the size in bytes of the largest buffer that a server keeps for an idle
// connection.
const maxKept = 8 << 20

// firstRead is the most memory in bytes that is allocated for a payload before any of it
// has arrived, unless one as large has arrived on the same connection.
const firstRead = 8 << 20

type frame struct {
	id      uint64
	payload []byte
}

func appendHeader(b []byte, f frame) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(f.payload)))
	return binary.BigEndian.AppendUint64(b, f.id)
}

// peekHeader returns the id and the payload's length of the next frame, and leaves the
// header unread.
func peekHeader(r *bufio.Reader) (id uint64, n int, err error) {
	b, err := r.Peek(headerLen)
	if err != nil {
		return 0, 0, err
	}
	id, n = parseHeader(b)
	return id, n, nil
}

func parseHeader(b []byte) (id uint64, n int) {
	return binary.BigEndian.Uint64(b[4:]), int(binary.BigEndian.Uint32(b))
}

func writeFrame(w *bufio.Writer, f frame) error {
	if _, err := w.Write(appendHeader(w.AvailableBuffer(), f)); err != nil {
		return err
	}
	_, err := w.Write(f.payload)
	return err
}

// readFrame reads the next frame. Its payload is read into buf if that is large
// enough, and into fresh memory otherwise.
func readFrame(r *bufio.Reader, m *frames.Memory, buf []byte) (frame, error) {
	id, n, err := peekHeader(r)
	if err != nil {
		return frame{}, err
	}
	if err := checkSize(n); err != nil {
		return frame{}, err
	}
	r.Discard(headerLen) // cannot fail, since the header was peeked
	payload, err := readPayload(r, m, buf, n)
	return frame{id, payload}, err
}

// readPayload reads n bytes into buf if that is large enough, and into fresh memory
// otherwise, of which it takes a first part before any byte has arrived.
func readPayload(r io.Reader, m *frames.Memory, buf []byte, n int) ([]byte, error) {
	if buf == nil || n > cap(buf) {
		buf = []byte{}
	}
	return m.Append(buf[:0], r, n, firstRead)
}

// kept returns buf, or nil if it is too large to be kept for an idle connection.
func kept(buf []byte) []byte {
	if cap(buf) > maxKept {
		return nil
	}
	return buf
}

func checkSize(n int) error {
	if n > MaxMessage {
		return fmt.Errorf("tcp: a payload of %d bytes is over MaxMessage, %d bytes", n, MaxMessage)
	}
	return nil
}

// buffered reports whether the whole next frame has arrived, so that reading it does
// not wait.
func buffered(r *bufio.Reader) bool {
	if r.Buffered() < headerLen {
		return false
	}
	_, n, err := peekHeader(r)
	return err == nil && r.Buffered() >= headerLen+n
}
