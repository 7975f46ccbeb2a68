package kitex_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/kitex"
	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
)

// TestRepliesOfOtherCallsAreCounted in frames of Thrift and of TTHeader, and over HTTP/2.
// Slow: every variant is run through a proxy.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	frame := astray.Headed(4, astray.Big32(0), body)
	framings := map[string]astray.Framing{
		"pool/thrift": frame, "pool/generic-map": frame, "mux/protobuf": frame, "grpc/protobuf": astray.HTTP2,
	}
	var list []astray.Framed
	for _, v := range kitex.Variants() {
		if f := framings[v.Transport+"/"+v.Codec]; f != nil && v.Profile == "" {
			list = append(list, astray.Framed{Variant: v, Framing: f})
		}
	}
	require.Len(t, list, len(framings))
	astray.Counted(t, list...)
}

// body returns where the struct of a reply begins: after the header of TTHeader, if there is
// one, perhaps the length of a frame in it, and the message's version, name and number.
func body(frame []byte) int {
	const leastReply, magic, header = 1 << 10, 0x1000, 14
	if len(frame) < leastReply {
		return len(frame)
	}
	at := 4
	if binary.BigEndian.Uint16(frame[4:]) == magic {
		at = header + 4*int(binary.BigEndian.Uint16(frame[header-2:]))
	}
	if frame[at]&0x80 == 0 {
		at += 4
	}
	return at + 8 + int(binary.BigEndian.Uint32(frame[at+4:])) + 4
}
