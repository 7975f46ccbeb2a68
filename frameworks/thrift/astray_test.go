package thrift_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"github.com/rpcbench/rpcbench/frameworks/suite/astray"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/thrift"
)

// TestRepliesOfOtherCallsAreCounted in messages that begin with the number of a call, in
// frames and without.
func TestRepliesOfOtherCallsAreCounted(t *testing.T) {
	var list []astray.Framed
	for _, v := range thrift.Variants() {
		if v.Rank == framework.Ranked { // the others write the same bytes
			list = append(list, astray.Framed{Variant: v, Framing: framing(v)})
		}
	}
	astray.Counted(t, list...)
}

// framing reads messages by Thrift itself.
func framing(v framework.Variant) astray.Framing {
	if v.Transport != "framed" {
		return message
	}
	return astray.Headed(4, astray.Big32(0), func(frame []byte) int {
		from := &apache.TMemoryBuffer{Buffer: bytes.NewBuffer(frame[4:])}
		var p apache.TProtocol = apache.NewTBinaryProtocolConf(from, nil)
		if v.Codec == "compact" {
			p = apache.NewTCompactProtocolConf(from, nil)
		}
		p.ReadMessageBegin(context.Background())
		return len(frame) - from.Len()
	})
}

// message is a framing of messages without frames, in the binary protocol.
func message(r *bufio.Reader) (frame []byte, body int, err error) {
	var read bytes.Buffer
	p := apache.NewTBinaryProtocolConf(&apache.StreamTransport{Reader: io.TeeReader(r, &read)}, nil)
	if _, _, _, err = p.ReadMessageBegin(context.Background()); err != nil {
		return nil, 0, err
	}
	body = read.Len()
	err = p.Skip(context.Background(), apache.STRUCT)
	return read.Bytes(), body, err
}
