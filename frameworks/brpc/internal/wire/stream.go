package wire

import (
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/brpc/internal/meta"
)

// Ends are the ids of a stream's two ends. Each end has chosen its own.
type Ends struct {
	Local, Remote int64
}

// NoStream is the id of an end that does not exist.
const NoStream int64 = -1

// AppendData appends a frame with a message of a stream, and returns the message's
// size in bytes.
func AppendData(b []byte, e Ends, message proto.Message) (frame []byte, size int, err error) {
	start := len(b)
	b, err = AppendFrame(b, STRM, e.frame(meta.FrameType_FRAME_TYPE_DATA), message, 0)
	if err != nil {
		return b, 0, err
	}
	return b, len(b) - start - HeaderLen - int(STRM.order().Uint32(b[start+8:])), nil
}

// AppendWrapped appends a frame with the first message of a stream. The message is the
// frame of the response that opens the stream.
func AppendWrapped(b []byte, e Ends, response []byte) []byte {
	return append(control(b, e.frame(meta.FrameType_FRAME_TYPE_DATA), len(response)), response...)
}

// AppendClose appends the frame that ends a stream in order.
func AppendClose(b []byte, e Ends) []byte {
	return control(b, e.frame(meta.FrameType_FRAME_TYPE_CLOSE), 0)
}

// AppendReset appends the frame that says that a stream does not exist.
func AppendReset(b []byte, remote int64) []byte {
	return control(b, &meta.StreamFrameMeta{StreamId: &remote, FrameType: meta.FrameType_FRAME_TYPE_RST}, 0)
}

// AppendFeedback appends the frame that says how many bytes of the stream's messages
// this end has consumed since the stream was opened.
func AppendFeedback(b []byte, e Ends, consumed int64) []byte {
	m := e.frame(meta.FrameType_FRAME_TYPE_FEEDBACK)
	m.Feedback = &meta.Feedback{ConsumedSize: consumed}
	return control(b, m, 0)
}

func (e Ends) frame(t meta.FrameType) *meta.StreamFrameMeta {
	return &meta.StreamFrameMeta{StreamId: &e.Remote, SourceStreamId: &e.Local, FrameType: t}
}

// control appends a frame without a message. It cannot fail, since these metas can
// always be encoded.
func control(b []byte, m *meta.StreamFrameMeta, tail int) []byte {
	b, err := AppendFrame(b, STRM, m, nil, tail)
	if err != nil {
		panic(err)
	}
	return b
}

// ParseStream reads the meta of a stream's frame.
func ParseStream(b []byte) (*meta.StreamFrameMeta, error) {
	m := new(meta.StreamFrameMeta)
	return m, unmarshal(b, m)
}
