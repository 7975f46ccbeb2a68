package tcp

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// The id of a connection's first frame is the id of a call, or opens, which opens a
// stream. The connection then carries only the stream, whose frames have these ids.
const (
	opens    uint64 = iota // the ids of calls begin with 1
	fails                  // from the server: the payload is the text of an error; nothing follows
	ends                   // this side sends nothing more
	messages               // a message; the index of its action in actions is added
)

var actions = []string{handler.ActionEcho, handler.ActionSink, handler.ActionSum, handler.ActionFail, "", handler.ActionPushed}

// spelled is added to messages for a message of any other action, which the payload begins
// with, after a byte for its length.
var spelled = uint64(len(actions))

// pack returns the frame of a message.
func pack(m framework.EchoMessage) (frame, error) {
	if i := slices.Index(actions, m.Action); i >= 0 {
		return frame{messages + uint64(i), m.Msg}, nil
	}
	if len(m.Action) > math.MaxUint8 {
		return frame{}, fmt.Errorf("tcp: an action of %d bytes, at most 255 are possible", len(m.Action))
	}
	payload := append([]byte{byte(len(m.Action))}, m.Action...)
	return frame{messages + spelled, append(payload, m.Msg...)}, nil
}

// unpack returns the message of a frame.
func unpack(f frame) (framework.EchoMessage, error) {
	switch i := f.id - messages; {
	case i < spelled:
		return framework.EchoMessage{Action: actions[i], Msg: f.payload}, nil
	case i == spelled && len(f.payload) > 0 && len(f.payload) > int(f.payload[0]):
		n := 1 + int(f.payload[0])
		return framework.EchoMessage{Action: string(f.payload[1:n]), Msg: f.payload[n:]}, nil
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
