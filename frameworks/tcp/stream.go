package tcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// The id of a connection's first frame is the id of a call, or opens, which opens a
// stream. The connection then carries only the stream, whose frames have these ids.
const (
	opens    uint64 = iota // the ids of calls begin with 1
	fails                  // from the server: the payload is the text of an error; nothing follows
	ends                   // this side sends nothing more
	messages               // a message; the index of its action in actions is added
)

var actions = []string{framework.ActionEcho, framework.ActionSink, framework.ActionSum, framework.ActionFail, ""}

// pack returns the frame of a message.
func pack(m framework.EchoMessage) (frame, error) {
	i := slices.Index(actions, m.Action)
	if i < 0 {
		return frame{}, fmt.Errorf("tcp: a stream has no action %q", m.Action)
	}
	return frame{messages + uint64(i), m.Msg}, nil
}

// unpack returns the message of a frame.
func unpack(f frame) (framework.EchoMessage, error) {
	if i := f.id - messages; i < uint64(len(actions)) {
		return framework.EchoMessage{Action: actions[i], Msg: f.payload}, nil
	}
	return framework.EchoMessage{}, fmt.Errorf("tcp: a frame of a stream with the id %d", f.id)
}

// source reads the frames of a stream. A payload that is larger than the buffer is read
// without the buffer. The next frame is expected to be as large, so its header is read
// without the buffer too. Only the kernel then copies payloads.
type source struct {
	conn   net.Conn
	r      *bufio.Reader
	large  bool // the last payload was larger than the buffer
	header [headerLen]byte
	memory frames.Memory
}

// next reads the next frame as readFrame does. If the connection ends instead, the
// error is io.ErrUnexpectedEOF.
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
	s.large = n > s.r.Size()
	payload, err := readPayload(s, &s.memory, buf, n)
	return frame{id, payload}, unexpected(err)
}

// unexpected turns io.EOF, the end of a connection, into io.ErrUnexpectedEOF, because
// io.EOF means the end of a stream.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Read implements io.Reader for payloads.
func (s *source) Read(p []byte) (int, error) {
	if !s.large || s.r.Buffered() > 0 {
		return s.r.Read(p)
	}
	return s.conn.Read(p)
}

// errNoStreams is the error of a stream whose opening came back: to a server without
// streams it is a request of no bytes.
var errNoStreams = errors.New("tcp: the server has no streams: it sent the opening of one back")

// stream is the client's side of a stream.
type stream struct {
	client *connClient
	ctx    context.Context
	stop   func() bool // stops watching the context
	conn   *conn
	source source
	end    error // the error that Recv has returned; nil before
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
	s.stop = context.AfterFunc(ctx, func() { c.open.Drop(bare(conn.Conn)) })
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
	case f.id == opens:
		return framework.EchoMessage{}, errNoStreams
	case f.id == fails:
		return framework.EchoMessage{}, errors.New(string(f.payload))
	}
	return unpack(f)
}

// Close implements framework.EchoStream.
func (s *stream) Close() error {
	s.stop()
	s.client.open.Drop(bare(s.conn.Conn))
	return nil
}

// answers is the server's side of a stream.
type answers struct {
	conn    conn
	w       *bufio.Writer
	source  source
	handler framework.StreamHandler
}

// serveStream answers the messages of the connection's stream. Like echo, it reads them
// all into the same buffer.
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

// take handles a message. As in echo, the answer stays in the buffer while the next
// message is at hand.
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
