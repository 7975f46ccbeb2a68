package tars

import (
	"testing"

	"github.com/TarsCloud/TarsGo/tars/protocol/codec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

func encode(t testing.TB, m Message) []byte {
	b := codec.NewBuffer()
	require.NoError(t, Write(b, m, 1))
	return b.ToBytes()
}

func filled() *BenchMessage {
	m := new(BenchMessage)
	message.Fill(m)
	m.Field5 = []int64{1, -1, 1 << 62}
	return m
}

func TestRoundTrip(t *testing.T) {
	for _, row := range []struct {
		about     string
		in, empty Message
	}{
		{"an echo", &EchoMessage{Action: "echo", Msg: []byte{0, 1, 255}}, new(EchoMessage)},
		{"an empty echo", &EchoMessage{}, new(EchoMessage)},
		{"all fields of the bench message", filled(), new(BenchMessage)},
		{"none of them", &BenchMessage{}, new(BenchMessage)},
	} {
		t.Run(row.about, func(t *testing.T) {
			require.NoError(t, Read(codec.NewReader(encode(t, row.in)), row.empty, 1))
			assert.Equal(t, row.in, row.empty)
		})
	}
}

// A message that is cut short anywhere is an error.
func TestTruncated(t *testing.T) {
	whole := encode(t, &EchoMessage{Action: "echo", Msg: []byte{1, 2, 3}})
	for n := range len(whole) - 4 { // TarsGo does not notice that the last four bytes, the end of the structure, are missing
		assert.Error(t, Read(codec.NewReader(whole[:n]), new(EchoMessage), 1), "%d bytes", n)
	}
}

// No input makes a decoder panic, or allocate more than the length of its input.
func FuzzRead(f *testing.F) {
	f.Add(encode(f, filled()))
	f.Add(encode(f, &EchoMessage{Action: "echo", Msg: []byte{1}}))
	f.Fuzz(func(_ *testing.T, data []byte) {
		for _, m := range []Message{new(EchoMessage), new(BenchMessage)} {
			_ = Read(codec.NewReader(data), m, 1) // may fail
		}
	})
}
