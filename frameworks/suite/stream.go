package suite

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// StreamClient is a client whose framework has bidirectional streams of
// messages; its variant says so in Streams.
type StreamClient interface {
	Client
	// OpenStream opens a stream on the connection that the worker's calls take.
	// It ends with ctx.
	OpenStream(ctx context.Context, worker int) (EchoStream, error)
}

// EchoStream is an open stream. One goroutine may send while another receives.
// Every message is made by the codec of the variant.
type EchoStream interface {
	// Send sends a message, or waits until the framework's flow control lets
	// it. It may not change m.Msg, nor keep it when it has returned. On a stream
	// that has ended it may fail with io.EOF: Recv then says why.
	Send(m EchoMessage) error
	// Recv returns the next message of the server in memory of its own, and
	// io.EOF after the last.
	Recv() (EchoMessage, error)
	// CloseSend tells the server that no more messages come. It then ends the
	// stream, which Recv sees.
	CloseSend() error
	// Close gives the stream up, whatever is under way, and frees what it holds.
	Close() error
}

// Actions of the messages of a stream, beside ActionEcho and ActionFail, which
// ends the stream with ErrAsked.
const (
	ActionSink = "sink" // received and not answered
	ActionSum  = "sum"  // answered by the Sum of what was received so far
)

// StreamHandler is the work of a server's side of a stream: every adapter hands
// it the messages in their order. The zero value is ready.
type StreamHandler struct{ sum Sum }

// Handle takes a message and returns the answer to it, if there is one. Its
// error ends the stream.
func (h *StreamHandler) Handle(m EchoMessage) (answer EchoMessage, ok bool, err error) {
	switch m.Action {
	case ActionSink:
		h.sum.Add(m.Msg)
		return EchoMessage{}, false, nil
	case ActionSum:
		return EchoMessage{Action: ActionSum, Msg: h.sum.encode()}, true, nil
	default:
		return m, true, HandleEcho(m.Action)
	}
}

// Sum is what was received on a stream, in its order.
type Sum struct {
	Messages, Bytes uint64
	CRC             uint32 // Castagnoli's, of all bytes one after the other
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Add takes the bytes of another message.
func (s *Sum) Add(b []byte) {
	s.Messages++
	s.Bytes += uint64(len(b))
	s.CRC = crc32.Update(s.CRC, castagnoli, b)
}

func (s Sum) encode() []byte {
	b := binary.LittleEndian.AppendUint64(nil, s.Messages)
	b = binary.LittleEndian.AppendUint64(b, s.Bytes)
	return binary.LittleEndian.AppendUint32(b, s.CRC)
}

// decodeSum reads the answer to ActionSum.
func decodeSum(m EchoMessage) (s Sum, err error) {
	if m.Action != ActionSum || len(m.Msg) != 20 {
		return s, fmt.Errorf("stream: a sum was asked for, and %q with %d bytes came", m.Action, len(m.Msg))
	}
	s.Messages, s.Bytes = binary.LittleEndian.Uint64(m.Msg), binary.LittleEndian.Uint64(m.Msg[8:])
	s.CRC = binary.LittleEndian.Uint32(m.Msg[16:])
	return s, nil
}
