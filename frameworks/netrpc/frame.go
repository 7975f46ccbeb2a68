package netrpc

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net/rpc"

	"github.com/rpcbench/rpcbench/codecs/rpc/dynamic"
	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
)

// A frame is a header of fixed size, the method's name, the text of an error, and the
// message. Requests have no error, and responses with an error have no message.
//
//	sequence number  8 bytes, little endian
//	method           4 bytes, its length
//	error            4 bytes, its length
//	message          4 bytes, its length
const headerLen = 8 + 3*4

// MaxMessage is the largest echo payload in bytes of the codecs of this package. net/rpc
// itself has no limit.
const MaxMessage = 256 << 20

const (
	// maxMessage is the most bytes of an encoded message, and maxFrame those of a
	// frame after its header. Each leaves room for what is added.
	maxMessage = MaxMessage + 4<<10
	maxFrame   = maxMessage + 60<<10
	// firstRead is the most memory in bytes that is allocated for a frame before any
	// of it has arrived. A connection keeps its memory, so that only its first large
	// frame is read in steps.
	firstRead = 64 << 10
)

// errLarge says that n bytes are over a limit.
func errLarge(what string, n, limit int) error {
	return fmt.Errorf("netrpc: a %s of %d bytes is over the largest, %d bytes", what, n, limit)
}

// serializer is what is used of dynamic.Codec.
type serializer interface {
	Marshal(v any) ([]byte, error)
	Unmarshal(data []byte, v any) error
}

var _ serializer = dynamic.Codec{}

// framing is one end of a connection. net/rpc reads in one goroutine, and writes one
// message at a time.
type framing struct {
	codec serializer
	conn  io.Closer
	r     *bufio.Reader
	w     *bufio.Writer
	in    []byte // the last frame without its header; the memory is used again
	body  []byte // the message in that frame
	head  [2][headerLen]byte
}

func newFraming(conn io.ReadWriteCloser, c serializer) *framing {
	return &framing{codec: c, conn: conn, r: bufio.NewReader(conn), w: bufio.NewWriter(conn)}
}

// encode returns a message's bytes. The error names those that no frame holds, before
// any of them is sent.
func (f *framing) encode(body any) ([]byte, error) {
	message, err := f.codec.Marshal(body)
	if err == nil && len(message) > maxMessage {
		err = errLarge("message", len(message), maxMessage)
	}
	return message, err
}

// write sends a frame and flushes it.
func (f *framing) write(seq uint64, method, failure string, message []byte) error {
	h := f.head[0][:0]
	h = binary.LittleEndian.AppendUint64(h, seq)
	for _, n := range []int{len(method), len(failure), len(message)} {
		h = binary.LittleEndian.AppendUint32(h, uint32(n))
	}
	f.w.Write(h) // Flush reports the error
	f.w.WriteString(method)
	f.w.WriteString(failure)
	f.w.Write(message)
	return f.w.Flush()
}

// read reads a frame and keeps its message for readBody.
func (f *framing) read() (seq uint64, method, failure string, err error) {
	h := f.head[1][:]
	if _, err = io.ReadFull(f.r, h); err != nil {
		return 0, "", "", err
	}
	var ends [3]int // of method, error and message, in the rest of the frame
	n := 0
	for i := range ends {
		n += int(binary.LittleEndian.Uint32(h[8+4*i:]))
		ends[i] = n
	}
	if n > maxFrame {
		return 0, "", "", errLarge("frame", n, maxFrame)
	}
	if f.in, err = frames.Append(f.in[:0], f.r, n, firstRead); err != nil {
		return 0, "", "", io.ErrUnexpectedEOF
	}
	f.body = f.in[ends[1]:]
	return binary.LittleEndian.Uint64(h), string(f.in[:ends[0]]), string(f.in[ends[0]:ends[1]]), nil
}

// readBody decodes the message that read has kept, or drops it if body is nil.
func (f *framing) readBody(body any) error {
	if body == nil {
		return nil
	}
	return f.codec.Unmarshal(f.body, body)
}

// Close closes the connection.
func (f *framing) Close() error { return f.conn.Close() }

// clientCodec implements rpc.ClientCodec.
type clientCodec struct{ *framing }

func newClientCodec(conn io.ReadWriteCloser, c serializer) rpc.ClientCodec {
	return clientCodec{newFraming(conn, c)}
}

func (c clientCodec) WriteRequest(r *rpc.Request, body any) error {
	message, err := c.encode(body)
	if err != nil {
		return err
	}
	return c.write(r.Seq, r.ServiceMethod, "", message)
}

func (c clientCodec) ReadResponseHeader(r *rpc.Response) (err error) {
	r.Seq, r.ServiceMethod, r.Error, err = c.read()
	return err
}

func (c clientCodec) ReadResponseBody(body any) error { return c.readBody(body) }

// serverCodec implements rpc.ServerCodec.
type serverCodec struct{ *framing }

func newServerCodec(conn io.ReadWriteCloser, c serializer) rpc.ServerCodec {
	return serverCodec{newFraming(conn, c)}
}

func (c serverCodec) ReadRequestHeader(r *rpc.Request) (err error) {
	r.Seq, r.ServiceMethod, _, err = c.read()
	return err
}

func (c serverCodec) ReadRequestBody(body any) error { return c.readBody(body) }

// WriteResponse implements rpc.ServerCodec. With an error it sends no message, because
// net/rpc then has none of the method's type. If a reply cannot be encoded, it sends
// that as an error, because net/rpc would let the caller wait for ever.
func (c serverCodec) WriteResponse(r *rpc.Response, body any) error {
	if r.Error != "" {
		return c.write(r.Seq, r.ServiceMethod, r.Error, nil)
	}
	message, err := c.encode(body)
	if err != nil {
		return c.write(r.Seq, r.ServiceMethod, err.Error(), nil)
	}
	return c.write(r.Seq, r.ServiceMethod, "", message)
}
