package tcp

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"

	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
)

// Sizes of read and write buffers in bytes. A shared connection carries many messages
// at once. Connections with one caller have smaller buffers, since there may be ten
// thousand of them.
const (
	connBuffer = 16 << 10
	muxBuffer  = 64 << 10
)

// conn is a connection with one request at a time, or with a stream.
type conn struct {
	net.Conn
	r      *bufio.Reader
	w      *bufio.Writer // with TLS, so that a frame is one record; nil: frames are written without copying them
	memory frames.Memory
	id     uint64

	header  [headerLen]byte
	parts   [2][]byte   // header and payload
	buffers net.Buffers // the parts, written by one system call
}

// newConn makes a conn of a connection, with TLS or without.
func newConn(c net.Conn) *conn {
	made := &conn{Conn: c, r: bufio.NewReaderSize(c, connBuffer)}
	if _, ok := c.(*tls.Conn); ok {
		made.w = bufio.NewWriterSize(c, connBuffer)
	}
	return made
}

func (c *conn) exchange(payload []byte) ([]byte, error) {
	c.id++
	if err := c.send(frame{c.id, payload}); err != nil {
		return nil, err
	}
	f, err := readFrame(c.r, &c.memory, nil)
	if err == nil && f.id != c.id {
		err = fmt.Errorf("a reply to request %d came for request %d", f.id, c.id)
	}
	return f.payload, err
}

func (c *conn) send(f frame) error {
	if c.w != nil {
		writeFrame(c.w, f) // Flush returns its error
		return c.w.Flush()
	}
	c.parts[0], c.parts[1] = appendHeader(c.header[:0], f), f.payload
	c.buffers = c.parts[:]
	_, err := c.buffers.WriteTo(c.Conn)
	return err
}

// bare returns the connection within TLS, whose own Close waits for a peer that does not
// read.
func bare(c net.Conn) net.Conn {
	if s, ok := c.(*tls.Conn); ok {
		return s.NetConn()
	}
	return c
}
