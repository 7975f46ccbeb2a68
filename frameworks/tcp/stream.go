package tcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// The id of a connection's first frame is that of a call, or opens a stream to
// which the connection then belongs. The ids of a stream's frames say what they
// are: a message, or one of these.
const (
	opens    uint64 = iota // calls count from 1
	fails                  // from the server, with the error's text; nothing follows
	ends                   // nothing follows from this side
	messages               // and the action's index in actions
)

var actions = []string{framework.ActionEcho, framework.ActionSink, framework.ActionSum, framework.ActionFail, ""}

// pack makes a message a frame.
func pack(m framework.EchoMessage) (frame, error) {
	i := slices.Index(actions, m.Action)
	if i < 0 {
		return frame{}, fmt.Errorf("tcp: a stream has no action %q", m.Action)
	}
	return frame{messages + uint64(i), m.Msg}, nil
}

// unpack is the way back.
func unpack(f frame) (framework.EchoMessage, error) {
	if i := f.id - messages; i < uint64(len(actions)) {
		return framework.EchoMessage{Action: actions[i], Msg: f.payload}, nil
	}
	return framework.EchoMessage{}, fmt.Errorf("tcp: a frame of a stream with the id %d", f.id)
}

// source is what a side of a stream reads from. A payload larger than the buffer
// goes past it, and so does the header of the frame that follows, which is taken
// to be as large: nothing is then copied but by the kernel.
type source struct {
	conn   net.Conn
	r      *bufio.Reader
	large  bool // the last payload was
	header [headerLen]byte
}

// next reads the next frame, as readFrame does. The connection may not end where
// one is due.
func (s *source) next(buf []byte) (frame, error) {
	var from io.Reader = s.r
	if s.large && s.r.Buffered() == 0 {
		from = s.conn
	}
	if _, err := io.ReadFull(from, s.header[:]); err != nil {
		return frame{}, unexpected(err)
	}
	id, n := parseHeader(s.header[:])
	if err := checkSize(n); err != nil {
		return frame{}, err
	}
	f := frame{id, room(buf, n)}
	return f, unexpected(s.fill(f.payload))
}

// unexpected keeps the end of a connection from being taken for that of a stream.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (s *source) fill(payload []byte) error {
	if s.large = len(payload) > s.r.Size(); !s.large {
		_, err := io.ReadFull(s.r, payload)
		return err
	}
	n, _ := s.r.Read(payload[:min(s.r.Buffered(), len(payload))]) // cannot fail: it is there
	_, err := io.ReadFull(s.conn, payload[n:])
	return err
}

// stream is the client's side of a stream.
type stream struct {
	client *connClient
	ctx    context.Context
	stop   func() bool // watching ctx
	conn   *conn
	source source
	end    error // what Recv returned last, if it was an error
}

var (
	_ framework.StreamClient = (*connClient)(nil)
	_ framework.EchoStream   = (*stream)(nil)
)

// OpenStream implements framework.StreamClient. Each stream has a connection of its
// own.
func (c *connClient) OpenStream(ctx context.Context, _ int) (framework.EchoStream, error) {
	conn, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	s := &stream{client: c, ctx: ctx, conn: conn, source: source{conn: conn.Conn, r: conn.r}}
	s.stop = context.AfterFunc(ctx, func() { c.open.Drop(conn.Conn) })
	if err := s.send(frame{id: opens}); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Send implements framework.EchoStream.
func (s *stream) Send(m framework.EchoMessage) error {
	if err := checkSize(len(m.Msg)); err != nil {
		return err
	}
	f, err := pack(m)
	if err != nil {
		return err
	}
	return s.send(f)
}

// CloseSend implements framework.EchoStream.
func (s *stream) CloseSend() error { return s.send(frame{id: ends}) }

func (s *stream) send(f frame) error {
	if err := s.conn.send(f); err != nil {
		return reason(s.ctx, err)
	}
	return nil
}

// Recv implements framework.EchoStream.
func (s *stream) Recv() (m framework.EchoMessage, err error) {
	if s.end == nil {
		m, s.end = s.recv()
	}
	return m, s.end
}

func (s *stream) recv() (framework.EchoMessage, error) {
	f, err := s.source.next(nil)
	switch {
	case err != nil:
		return framework.EchoMessage{}, reason(s.ctx, err)
	case f.id == ends:
		return framework.EchoMessage{}, io.EOF
	case f.id == fails:
		return framework.EchoMessage{}, errors.New(string(f.payload))
	}
	return unpack(f)
}

// Close implements framework.EchoStream.
func (s *stream) Close() error {
	s.stop()
	s.client.open.Drop(s.conn.Conn)
	return nil
}

// answers is the server's side of a stream.
type answers struct {
	conn    conn
	w       *bufio.Writer
	source  source
	handler framework.StreamHandler
}

// serveStream takes the connection's messages to the last. It reads them into
// the same buffer again and again, as echo does.
func serveStream(c net.Conn, r *bufio.Reader, w *bufio.Writer) {
	a := &answers{conn: conn{Conn: c}, w: w, source: source{conn: c, r: r}}
	var buf []byte
	for {
		f, err := a.source.next(buf)
		if err != nil {
			return
		}
		if f.id == ends {
			a.finish(f)
			return
		}
		if err := a.take(f); err != nil {
			a.finish(frame{fails, []byte(err.Error())})
			return
		}
		buf = kept(f.payload)
	}
}

// take handles a message. As in echo, its answer waits while the next message is
// at hand.
func (a *answers) take(f frame) error {
	m, err := unpack(f)
	if err != nil {
		return err
	}
	answer, ok, err := a.handler.Handle(m)
	if err != nil {
		return err
	}
	if ok {
		if f, err = pack(answer); err == nil {
			err = a.write(f)
		}
	}
	if err == nil && !buffered(a.source.r) {
		err = a.w.Flush()
	}
	return err
}

// write writes past the buffer what is too large for it.
func (a *answers) write(f frame) error {
	if len(f.payload) < a.w.Size() {
		return writeFrame(a.w, f)
	}
	if err := a.w.Flush(); err != nil {
		return err
	}
	return a.conn.send(f)
}

// finish sends the last frame and waits for the client to close the connection:
// if the server did so before it had read everything, TCP would throw away what
// the client has not read yet.
func (a *answers) finish(f frame) {
	if writeFrame(a.w, f) == nil && a.w.Flush() == nil {
		io.Copy(io.Discard, a.source.r)
	}
}
