// Package wire encodes and decodes brpc's protocols baidu_std, its streams, and hulu.
// They consist of frames, each with a header, a meta that describes it, and a body.
package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
)

// Kind is the four letters with which a frame begins.
type Kind string

// The kinds of frames.
const (
	PRPC Kind = "PRPC" // a request or a response of baidu_std
	STRM Kind = "STRM" // a frame of a stream
	HULU Kind = "HULU" // a request or a response of hulu
)

// HeaderLen is the length of a header in bytes. It holds the kind, the length of all
// that follows, and the length of the meta, with 32 bits each. The lengths are
// big-endian, in hulu little-endian.
const HeaderLen = 12

// Limits in bytes on what is believed of a header.
const (
	maxMeta = 64 << 10
	// firstRead is the most memory that is allocated for a body before any of it
	// has arrived, unless one as large has arrived on the same connection.
	firstRead = 8 << 20
)

// Header is the header of a frame: its kind, and the lengths in bytes of the parts that
// follow.
type Header struct {
	Kind Kind
	Meta int
	Body int
}

func (k Kind) order() binary.ByteOrder {
	if k == HULU {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// put writes the header into b, which has HeaderLen bytes.
func (h Header) put(b []byte) {
	copy(b, h.Kind)
	h.Kind.order().PutUint32(b[4:], uint32(h.Meta+h.Body))
	h.Kind.order().PutUint32(b[8:], uint32(h.Meta))
}

// parseHeader reads a header from HeaderLen bytes. At most limit bytes may follow it.
func parseHeader(b []byte, limit int) (Header, error) {
	k := Kind(b[:4])
	switch k {
	case PRPC, STRM, HULU:
	default:
		return Header{}, fmt.Errorf("brpc: the peer speaks something else: a frame begins with %q, want PRPC, STRM or HULU", b[:4])
	}
	size, meta := uint64(k.order().Uint32(b[4:])), uint64(k.order().Uint32(b[8:]))
	switch {
	case size > uint64(limit):
		return Header{}, fmt.Errorf("brpc: a frame says that it has %d bytes, more than the limit of %d", size, limit)
	case meta > size || meta > maxMeta:
		return Header{}, fmt.Errorf("brpc: the meta of a frame of %d bytes says that it has %d bytes, more than the frame or the limit of %d", size, meta, maxMeta)
	}
	return Header{k, int(meta), int(size - meta)}, nil
}

// AppendFrame appends a frame with a meta and a message, which may be nil. The frame's
// length includes tail more bytes, which the caller sends after it.
func AppendFrame(b []byte, k Kind, meta, message proto.Message, tail int) ([]byte, error) {
	return appendFrame(b, k, meta, message, false, tail)
}

// appendFrame is AppendFrame with a message that may be compressed.
func appendFrame(b []byte, k Kind, meta, message proto.Message, gzip bool, tail int) ([]byte, error) {
	start := len(b)
	b = append(b, make([]byte, HeaderLen)...)
	b, err := proto.MarshalOptions{}.MarshalAppend(b, meta)
	if err != nil {
		return b[:start], err
	}
	end := len(b)
	switch {
	case message == nil:
	case gzip:
		b, err = appendZipped(b, message)
	default:
		b, err = (proto.MarshalOptions{}).MarshalAppend(b, message)
	}
	if err != nil {
		return b[:start], err
	}
	Header{k, end - start - HeaderLen, len(b) - end + tail}.put(b[start:])
	return b, nil
}

// Reader reads frames part by part: Next reads the header and the meta of a frame,
// Body and Skip its body.
type Reader struct {
	r      *bufio.Reader
	limit  int
	header [HeaderLen]byte
	meta   []byte
	left   int // unread bytes of the body
	memory frames.Memory
}

// NewReader makes a reader of frames of at most limit bytes after the header.
// Smaller frames are read through a buffer of r's size.
func NewReader(r *bufio.Reader, limit int) *Reader { return &Reader{r: r, limit: limit} }

// Next skips the rest of the previous frame, and reads the next frame's header and
// meta. The meta is valid until the next call. The error is io.EOF if the connection
// ended between two frames.
func (r *Reader) Next() (Header, []byte, error) {
	if err := r.Skip(); err != nil {
		return Header{}, nil, err
	}
	if _, err := io.ReadFull(r.r, r.header[:]); err != nil {
		if err == io.EOF {
			return Header{}, nil, err
		}
		return Header{}, nil, cut(err)
	}
	h, err := parseHeader(r.header[:], r.limit)
	if err != nil {
		return Header{}, nil, err
	}
	if cap(r.meta) < h.Meta {
		r.meta = make([]byte, h.Meta)
	}
	r.meta, r.left = r.meta[:h.Meta], h.Body
	if _, err := io.ReadFull(r.r, r.meta); err != nil {
		return Header{}, nil, cut(err)
	}
	return h, r.meta, nil
}

// Body appends the next n bytes of the body to b.
func (r *Reader) Body(b []byte, n int) ([]byte, error) {
	if n < 0 || n > r.left {
		return b, fmt.Errorf("brpc: a meta asks for %d bytes of a body that has %d", n, r.left)
	}
	start := len(b)
	b, err := r.memory.Append(b, r.r, n, firstRead)
	r.left -= len(b) - start
	if err != nil {
		return b, cut(err)
	}
	return b, nil
}

// Left returns how many bytes of the body have not been read.
func (r *Reader) Left() int { return r.left }

// Skip reads the rest of the body and drops it.
func (r *Reader) Skip() error {
	n, err := r.r.Discard(r.left)
	r.left -= n
	if err != nil {
		return cut(err)
	}
	return nil
}

// cut turns io.EOF into io.ErrUnexpectedEOF: the connection ended within a frame.
func cut(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("brpc: the connection ended in the middle of a frame: %w", io.ErrUnexpectedEOF)
	}
	return err
}
