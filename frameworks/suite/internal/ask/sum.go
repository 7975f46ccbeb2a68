package ask

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

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

// Encode is the Msg of the answer to handler.ActionSum.
func (s Sum) Encode() []byte {
	b := binary.LittleEndian.AppendUint64(nil, s.Messages)
	b = binary.LittleEndian.AppendUint64(b, s.Bytes)
	return binary.LittleEndian.AppendUint32(b, s.CRC)
}

// DecodeSum reads the answer to handler.ActionSum.
func DecodeSum(action string, msg []byte) (s Sum, err error) {
	if action != sum || len(msg) != 20 {
		return s, fmt.Errorf("stream: a sum was asked for, and %.64q with %d bytes came", action, len(msg))
	}
	s.Messages, s.Bytes = binary.LittleEndian.Uint64(msg), binary.LittleEndian.Uint64(msg[8:])
	s.CRC = binary.LittleEndian.Uint32(msg[16:])
	return s, nil
}
