package tcp

import (
	"context"
	"errors"
	"io"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// errNoStreams is the error of a stream whose opening came back: to a server without
// streams it is a request of no bytes.
var errNoStreams = errors.New("tcp: the server has no streams: it sent the opening of one back")

// stream is the client's side of a stream.
type stream struct {
	dialer *dialer
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
	s := &stream{dialer: &c.dialer, ctx: ctx, conn: conn, source: source{conn: conn.Conn, r: conn.r}}
	s.stop = context.AfterFunc(ctx, func() { c.drop(conn) })
	if err := s.send(frame{id: opens}); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Send implements framework.EchoStream.
func (s *stream) Send(m framework.EchoMessage) error {
	f, err := pack(m)
	if err == nil {
		err = checkSize(len(f.payload))
	}
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
	s.dialer.drop(s.conn)
	return nil
}
