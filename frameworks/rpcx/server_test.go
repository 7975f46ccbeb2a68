package rpcx

import (
	"testing"

	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/share"
	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// TestOtherSerializer: a flipped bit in a reply's header names another serializer, and
// that is a failed call and not the end of the client.
func TestOtherSerializer(t *testing.T) {
	prepare()
	for name, serializer := range map[string]protocol.SerializeType{
		"bytes": protocol.SerializeNone, "JSON": protocol.JSON, "MessagePack": protocol.MsgPack,
		"Thrift": protocol.Thrift, "gob": serializeGob,
	} {
		assert.Error(t, share.Codecs[serializer].Decode([]byte{0xa, 1, 'x', 0x12, 1, 'y'}, new(protobuf.EchoMessage)), name)
	}
}
