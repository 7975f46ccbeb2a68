package netrpc_test

import (
	"bufio"
	"io"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/netrpc"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in the frames of each codec, which name the call before the message.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	v := netrpc.Variants()
	little := astray.Little32
	own := astray.Headed(20, astray.Plus(0, little(8), little(12), little(16)), astray.Plus(20, little(8), little(12)))
	astray.Counted(t, append([]astray.Framed{
		{Variant: v[0], Framing: gob}, {Variant: v[1], Framing: astray.From(`"result":`, astray.Lines)},
	}, astray.Each(own, v[2:]...)...)...)
}

// gob is a framing of a stream of gob: of messages after their lengths. The message of a call
// is one of its own, behind that which numbers the call.
func gob(r *bufio.Reader) (frame []byte, body int, err error) {
	first, err := r.ReadByte()
	if err != nil {
		return nil, 0, err
	}
	frame, length := []byte{first}, int(first)
	if first > 0x7f { // the negative number of the bytes that the length has
		frame, length = append(frame, make([]byte, 256-int(first))...), 0
		if _, err = io.ReadFull(r, frame[1:]); err != nil {
			return nil, 0, err
		}
		for _, b := range frame[1:] {
			length = length<<8 | int(b)
		}
	}
	body = len(frame)
	frame = append(frame, make([]byte, length)...)
	_, err = io.ReadFull(r, frame[body:])
	return frame, body, err
}
