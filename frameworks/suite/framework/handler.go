package framework

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// HandleEcho is called by every echo handler with the Action and the Msg of its
// request. The handler sends the action back, and reply as the Msg, or returns the error.
// For ActionInvert msg is changed in place. The reply is msg itself, or memory of its own.
func HandleEcho(action string, msg []byte) (reply []byte, err error) {
	reply, err = handle(action, msg)
	CountHandled()
	return reply, err
}

func handle(action string, msg []byte) (reply []byte, err error) {
	switch action {
	case ActionEcho, "":
		return msg, nil
	case ActionInvert:
		Invert(msg)
		return msg, nil
	case ActionFail:
		return nil, ErrAsked
	}
	if n, rest, ok := cutReply(action); ok {
		if _, err := handle(rest, msg); err != nil {
			return nil, err
		}
		return bytes.Clone(partOf(msg, n)), nil // frameworks may use the memory of a reply again
	}
	return msg, work(action)
}

// Invert inverts every bit.
func Invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// StreamHandler answers the messages of a stream on the server's side. Every adapter
// passes it the messages in their order. The zero value is ready to use.
type StreamHandler struct{ sum Sum }

// Handle takes a message and returns its answer; ok is false if it has no answer. An
// error ends the stream.
func (h *StreamHandler) Handle(m EchoMessage) (answer EchoMessage, ok bool, err error) {
	switch m.Action {
	case ActionSink:
		h.sum.Add(m.Msg)
		return EchoMessage{}, false, nil
	case ActionSum:
		CountHandled()
		return EchoMessage{Action: ActionSum, Msg: h.sum.encode()}, true, nil
	default:
		m.Msg, err = HandleEcho(m.Action, m.Msg)
		return m, true, err
	}
}

// Sum sums up what was received on a stream, in its order.
type Sum struct {
	Messages, Bytes uint64
	CRC             uint32 // CRC-32C (Castagnoli) of all bytes, one message after the other
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Add adds the bytes of the next message.
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
		return s, fmt.Errorf("stream: a sum was asked for, and %.64q with %d bytes came", m.Action, len(m.Msg))
	}
	s.Messages, s.Bytes = binary.LittleEndian.Uint64(m.Msg), binary.LittleEndian.Uint64(m.Msg[8:])
	s.CRC = binary.LittleEndian.Uint32(m.Msg[16:])
	return s, nil
}
