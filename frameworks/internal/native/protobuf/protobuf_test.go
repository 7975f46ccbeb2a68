package protobuf

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// A filled reply has all the fields of the request and survives it.
func TestFilledReply(t *testing.T) {
	req, want, reply := new(BenchMessage), new(BenchMessage), new(BenchMessage)
	message.Fill(req)
	message.Fill(want)
	want.Field1, want.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	assert.NoError(t, Kind.FillMessage(req, reply))
	req.Reset()
	assert.True(t, proto.Equal(want, reply))
}
