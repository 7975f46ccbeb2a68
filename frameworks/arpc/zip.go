package arpc

import (
	"github.com/lesismal/arpc"

	"github.com/rpcbench/rpcbench/frameworks/internal/compress"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// useLayers has a handler of either side compress.
func useLayers(h arpc.Handler, s layer.Stack) {
	if codec := compress.Named(string(s.Compression())); codec != nil {
		h.UseCoder(zipper{codec})
	}
}

// zipper implements arpc.MessageCoder. It compresses what follows the method.
type zipper struct{ *compress.Codec }

// flagZipped is the bit of a message that is compressed, that of arpc's own gzip.
const flagZipped = 7

// Encode compresses a message.
func (z zipper) Encode(_ *arpc.Client, m *arpc.Message) *arpc.Message {
	if !m.IsFlagBitSet(flagZipped) && carries(m) {
		replace(m, z.Codec.Encode(m.Data()))
		_ = m.SetFlagBit(flagZipped, true) // there is such a bit
	}
	return m
}

// carries reports whether a message is one of calls or streams. The others are shared.
func carries(m *arpc.Message) bool {
	return m.Cmd() != arpc.CmdPing && m.Cmd() != arpc.CmdPong
}

// Decode is the inverse of Encode. What it cannot decompress becomes an error.
func (z zipper) Decode(_ *arpc.Client, m *arpc.Message) *arpc.Message {
	if !m.IsFlagBitSet(flagZipped) || m.MethodLen() > m.Len()-arpc.HeadLen {
		return m
	}
	data, err := z.Codec.Decode(m.Data())
	if err != nil {
		m.SetError(true)
		data = []byte(err.Error())
	}
	replace(m, data)
	_ = m.SetFlagBit(flagZipped, false)
	return m
}

// replace replaces what follows the method.
func replace(m *arpc.Message, data []byte) {
	head := arpc.HeadLen + m.MethodLen()
	m.Buffer = append(m.Buffer[:head:head], data...)
	m.SetBodyLen(m.MethodLen() + len(data))
}
