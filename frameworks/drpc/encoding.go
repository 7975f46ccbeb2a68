package drpc

import (
	"google.golang.org/protobuf/proto"
	"storj.io/drpc"
	"storj.io/drpc/drpcmanager"
	"storj.io/drpc/drpcwire"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
)

// MaxMessage is the largest echo payload in bytes: drpc's own limit, 4 MiB for
// what is received, is lifted on both sides.
const MaxMessage = 256 << 20

// limits applies to both sides. It leaves room for what the encoding adds to a payload.
var limits = drpcmanager.Options{
	Reader: drpcwire.ReaderOptions{MaximumBufferSize: MaxMessage + 64<<10},
}

// Names of the methods, as in generated code.
const (
	methodEcho    = "/rpcbench.Bencher/Echo"
	methodMessage = "/rpcbench.Bencher/Message"
	methodUnknown = "/rpcbench.Bencher/Unknown"
	methodStream  = "/rpcbench.Streamer/Stream"
)

// messages sends and receives the messages of a stream.
type messages struct{ drpc.Stream }

func (s messages) send(m *protobuf.EchoMessage) error { return s.MsgSend(m, encoding{}) }

func (s messages) recv() (*protobuf.EchoMessage, error) {
	m := new(protobuf.EchoMessage)
	return m, s.MsgRecv(m, encoding{})
}

// encoding encodes protobuf messages.
type encoding struct{}

// Marshal implements drpc.Encoding.
func (encoding) Marshal(m drpc.Message) ([]byte, error) { return proto.Marshal(m.(proto.Message)) }

// MarshalAppend is called by drpc instead of Marshal.
func (encoding) MarshalAppend(b []byte, m drpc.Message) ([]byte, error) {
	return proto.MarshalOptions{}.MarshalAppend(b, m.(proto.Message))
}

// Unmarshal implements drpc.Encoding.
func (encoding) Unmarshal(b []byte, m drpc.Message) error {
	return proto.Unmarshal(b, m.(proto.Message))
}
