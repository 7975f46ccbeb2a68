package framework

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Actions of an EchoMessage.
const (
	ActionEcho = "echo"
	ActionFail = "fail" // the handler returns ErrAsked
)

// Actions of the messages of a stream, beside ActionEcho and ActionFail, which
// ends the stream with ErrAsked.
const (
	ActionSink = "sink" // received and not answered
	ActionSum  = "sum"  // answered by the Sum of what was received so far
)

// ErrAsked is what every echo handler returns for ActionFail. Frameworks wrap
// it in types of their own, so clients look for its text.
var ErrAsked = errors.New("rpcbench: the request asked for this error")

// HandleEcho is the work of every echo handler after its request was decoded.
// Its error is the handler's.
func HandleEcho(action string) error {
	switch action {
	case ActionEcho, "":
		return nil
	case ActionFail:
		return ErrAsked
	}
	return work(action)
}

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

// DecodeSum reads the answer to ActionSum.
func DecodeSum(m EchoMessage) (s Sum, err error) {
	if m.Action != ActionSum || len(m.Msg) != 20 {
		return s, fmt.Errorf("stream: a sum was asked for, and %q with %d bytes came", m.Action, len(m.Msg))
	}
	s.Messages, s.Bytes = binary.LittleEndian.Uint64(m.Msg), binary.LittleEndian.Uint64(m.Msg[8:])
	s.CRC = binary.LittleEndian.Uint32(m.Msg[16:])
	return s, nil
}
