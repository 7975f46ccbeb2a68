package motan_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/motan"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in motan's frames, whose header has the number of a call.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.Counted(t, astray.Each(frame, motan.Variants()...)...)
}

// frame is a framing. A frame is a header of 13 bytes, and then the metadata and the body, each
// after its length in 4 bytes.
func frame(r *bufio.Reader) (frame []byte, body int, err error) {
	const header = 13
	frame = make([]byte, header)
	if _, err = io.ReadFull(r, frame); err != nil {
		return nil, 0, err
	}
	for range 2 {
		length, err := r.Peek(4)
		if err != nil {
			return nil, 0, err
		}
		body = len(frame) + 4
		frame = append(frame, make([]byte, 4+binary.BigEndian.Uint32(length))...)
		if _, err = io.ReadFull(r, frame[body-4:]); err != nil {
			return nil, 0, err
		}
	}
	return frame, body, nil
}
