package drpc_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/drpc"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in drpc's frames, which begin with the number of a stream.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.Counted(t, astray.Each(frame, drpc.Variants()...)...)
}

// frame is a framing. A frame is a byte, three numbers and the data; the last number is the
// length of the data.
func frame(r *bufio.Reader) (frame []byte, body int, err error) {
	control, err := r.ReadByte()
	if err != nil {
		return nil, 0, err
	}
	frame = append(frame, control)
	var number uint64
	for range 3 {
		if number, err = binary.ReadUvarint(r); err != nil {
			return nil, 0, err
		}
		frame = binary.AppendUvarint(frame, number)
	}
	body = len(frame)
	frame = append(frame, make([]byte, number)...)
	_, err = io.ReadFull(r, frame[body:])
	return frame, body, err
}
