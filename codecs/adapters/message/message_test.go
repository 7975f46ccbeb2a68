package message_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/rpcbench/rpcbench/codecs/adapters/message"
	"github.com/rpcbench/rpcbench/codecs/suite"
)

func TestSamplePanicsWithTheMessage(t *testing.T) {
	assert.NotPanics(t, func() { message.Sample[structpb.Value]("Value", []byte("\x02\x20\x01\x00")) })
	assert.PanicsWithError(t, "message 1 of Value: unexpected EOF", func() { message.Sample[structpb.Value]("Value", []byte("\x02\x20\x01\x09\x20")) })
}

func TestEncoded(t *testing.T) {
	for _, c := range []struct {
		about string
		c     suite.Conversion[structpb.Value]
		err   string
	}{
		{"a library that does both", message.Encoded(
			func(m *structpb.Value) ([]byte, error) { return proto.Marshal(m) },
			func(data []byte, m *structpb.Value) error { return proto.Unmarshal(data, m) },
		), ""},
		{"a library that cannot decode", message.Encoded(
			func(*structpb.Value) ([]byte, error) { return nil, nil },
			func([]byte, *structpb.Value) error { return errors.New("broken") },
		), "broken"},
	} {
		want, built, got := structpb.NewStringValue("a"), &structpb.Value{}, &structpb.Value{}
		err := c.c.Build(built, want)
		if c.err != "" {
			assert.EqualError(t, err, c.err, c.about)
			continue
		}
		require.NoError(t, err, c.about)
		require.NoError(t, c.c.Read(got, built), c.about)
		assert.True(t, proto.Equal(want, got), c.about)
	}
}

func TestRefused(t *testing.T) {
	e := message.Refused("thrift", "compact", "no .proto")
	assert.Equal(t, "thrift-compact", e.ID())
	assert.Equal(t, "no .proto", e.Refuses)
}
