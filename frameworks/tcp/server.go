package tcp

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// serve echoes what arrives at addr; buffers have bufferSize bytes.
func serve(addr string, bufferSize int, s setup) (framework.Server, error) {
	secured := s.layers.ServerTLS()
	server, err := conns.ServeWith(s.control(), addr, func(c net.Conn) {
		s.keep(c)
		if secured != nil {
			c = tls.Server(c, secured)
		}
		echo(c, bufferSize)
	})
	if err != nil {
		return nil, fmt.Errorf("tcp: %w", err)
	}
	return server, nil
}

// echo sends back each frame that arrives, until the connection ends, unless the first
// frame opens a stream. Replies stay in the buffer while more requests are at hand. A
// frame is read to its end before it is sent back. Otherwise a client that does not
// read while it writes would wait for the server, and the server for the client.
func echo(c net.Conn, bufferSize int) {
	r, w := bufio.NewReaderSize(c, bufferSize), bufio.NewWriterSize(c, bufferSize)
	if id, _, err := peekHeader(r); err == nil && id == opens {
		r.Discard(headerLen)
		serveStream(c, r, w)
		return
	}
	var buf []byte
	var m frames.Memory
	for {
		f, err := readFrame(r, &m, buf)
		if err != nil || writeFrame(w, f) != nil {
			return
		}
		count.Call()
		if !buffered(r) && w.Flush() != nil {
			return
		}
		buf = kept(f.payload)
	}
}

// answers is the server's side of a stream.
type answers struct {
	conn    conn
	w       *bufio.Writer
	source  source
	handler handler.Stream
	answer  func(framework.EchoMessage) error // send, made once and not for each message
}

// serveStream answers the messages of the connection's stream. Like echo, it reads them
// all into the same buffer.
func serveStream(c net.Conn, r *bufio.Reader, w *bufio.Writer) {
	a := &answers{conn: conn{Conn: c}, w: w, source: source{conn: c, r: r}}
	a.answer = a.send
	last, err := a.takeAll()
	a.handler.End()
	if err == nil {
		a.finish(last)
	}
}

// takeAll handles all messages, and returns the server's last frame. The error says that the
// connection is gone.
func (a *answers) takeAll() (last frame, err error) {
	var buf []byte
	for {
		f, err := a.source.next(buf)
		if err != nil || f.id == ends {
			return f, err
		}
		if err := a.take(f); err != nil {
			return frame{fails, []byte(err.Error())}, nil
		}
		buf = kept(f.payload)
	}
}

// take handles a message. As in echo, the answers stay in the buffer while the next
// message is at hand. What a subscriber is sent is not known to be followed by more.
func (a *answers) take(f frame) error {
	m, err := unpack(f)
	if err != nil {
		return err
	}
	if handler.Subscribes(m.Action) {
		return a.handler.Handle(m, a.sendNow)
	}
	if err := a.handler.Handle(m, a.answer); err != nil || buffered(a.source.r) {
		return err
	}
	return a.w.Flush()
}

func (a *answers) sendNow(m framework.EchoMessage) error {
	if err := a.send(m); err != nil {
		return err
	}
	return a.w.Flush()
}

func (a *answers) send(m framework.EchoMessage) error {
	f, err := pack(m)
	if err != nil {
		return err
	}
	return a.write(f)
}

// write writes frames that are too large for the buffer without it.
func (a *answers) write(f frame) error {
	if len(f.payload) < a.w.Size() {
		return writeFrame(a.w, f)
	}
	if err := a.w.Flush(); err != nil {
		return err
	}
	return a.conn.send(f)
}

// finish sends the last frame and waits until the client closes the connection. If the
// server closed the connection with unread data, TCP would discard what the client has
// not read yet.
func (a *answers) finish(f frame) {
	if writeFrame(a.w, f) == nil && a.w.Flush() == nil {
		io.Copy(io.Discard, a.source.r)
	}
}
