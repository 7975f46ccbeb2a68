package frozen

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/smallnest/rpcx/protocol"
	"github.com/stretchr/testify/assert"
)

// frame is a message as rpcx encodes it.
func frame(payload int) []byte {
	m := protocol.NewMessage()
	m.ServicePath, m.ServiceMethod = servicePath, methodEcho
	m.Metadata = map[string]string{protocol.ServiceError: "text"}
	m.Payload = make([]byte, payload)
	return m.Encode()
}

// TestGuardPassesFrames in parts of every size.
func TestGuardPassesFrames(t *testing.T) {
	stream := append(append(frame(0), frame(5)...), frame(1000)...)
	for part := 1; part <= len(stream); part++ {
		g := new(guard)
		for at := 0; at < len(stream); at += part {
			assert.True(t, g.pass(stream[at:min(at+part, len(stream))]), "parts of %d bytes", part)
		}
		assert.Zero(t, g.rest, "parts of %d bytes", part)
		assert.Empty(t, g.begun, "parts of %d bytes", part)
	}
}

// TestGuardRefusesWhatPanics damages each length but that of the frame, and each byte after it.
func TestGuardRefusesWhatPanics(t *testing.T) {
	sound, refused := frame(100), 0
	for at := headerSize + lengthSize; at <= len(sound)-100-lengthSize; at++ {
		for _, length := range []uint32{0, 1, 7, 60, 200, 1 << 19, 1<<32 - 8, 1<<32 - 1} {
			damaged := bytes.Clone(sound)
			binary.BigEndian.PutUint32(damaged[at:], length)
			passed := new(guard).pass(damaged)
			assert.True(t, decodes(damaged) || !passed, "%d at %d", length, at)
			if !passed {
				refused++
			}
		}
	}
	assert.Positive(t, refused)
	binary.BigEndian.PutUint32(sound[headerSize:], 3)
	assert.False(t, new(guard).pass(sound), "a frame that is too short for its fields")
}

// decodes reports whether rpcx does not panic.
func decodes(b []byte) (calm bool) {
	defer func() { calm = recover() == nil }()
	_ = protocol.NewMessage().Decode(bytes.NewReader(b)) // may fail
	return true
}
