package trpc_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
	"github.com/rpcbench/rpcbench/frameworks/trpc"
)

// TestRepliesOfOtherCallsAreCounted in tRPC's frames, whose fixed head has the number of a call.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	astray.Counted(t, astray.Each(frame, trpc.Variants()...)...)
}

// frame is a framing. A frame begins with 16 bytes that have its length and that of the header
// behind them.
func frame(r *bufio.Reader) (frame []byte, body int, err error) {
	const head = 16
	fixed, err := r.Peek(head)
	if err != nil {
		return nil, 0, err
	}
	body = head + int(binary.BigEndian.Uint16(fixed[8:]))
	frame = make([]byte, binary.BigEndian.Uint32(fixed[4:]))
	_, err = io.ReadFull(r, frame)
	return frame, body, err
}
