package frozen

import (
	"encoding/binary"
	"errors"
	"net"
)

// Sizes of rpcx's frame: a header, the length of the rest, and in the rest three fields and
// the payload, each after its length.
const (
	headerSize = 12
	lengthSize = 4
	fields     = 3 // service, method and metadata
	// maxField is more than any of these fields has here.
	maxField = 1 << 16
)

var errDamaged = errors.New("rpcx: the lengths of a reply contradict each other")

// guards is a plug-in that gives each connection of a client a guard.
type guards struct{}

// ConnCreated implements rpcx's client.ConnCreatedPlugin.
func (guards) ConnCreated(c net.Conn) (net.Conn, error) { return &guard{Conn: c}, nil }

// guard ends a connection whose replies have lengths that contradict each other. Old rpcx
// slices by them, and panics in a goroutine of its own, which ends the process; today's
// recovers there.
type guard struct {
	net.Conn
	begun []byte // of a frame whose fields have not arrived
	rest  int    // bytes of the payload that have yet to come
}

// Read reads from the connection.
func (g *guard) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	if !g.pass(b[:n]) {
		return 0, errDamaged
	}
	return n, err
}

// pass looks at the next bytes.
func (g *guard) pass(b []byte) bool {
	for len(b) > 0 {
		if g.rest > 0 {
			n := min(g.rest, len(b))
			b, g.rest = b[n:], g.rest-n
			continue
		}
		frame := b
		if len(g.begun) > 0 {
			frame = append(g.begun, b...)
		}
		size, whole, sound := frameOf(frame)
		if !sound {
			return false
		}
		if !whole {
			g.begun = append(g.begun[:0], frame...)
			return true
		}
		g.rest, g.begun = size-len(g.begun), g.begun[:0]
	}
	return true
}

// frameOf returns the size of a frame, once all before its payload has arrived.
func frameOf(b []byte) (size int, whole, sound bool) {
	end := headerSize + lengthSize
	if len(b) < end {
		return 0, false, true
	}
	size = end + lengthAt(b, headerSize)
	field := 0
	for range fields {
		field = end
		if end += lengthSize; end > size {
			return 0, false, false
		}
		if len(b) < end {
			return 0, false, true
		}
		length := lengthAt(b, field)
		if end += length; length > maxField || end > size {
			return 0, false, false
		}
	}
	whole = len(b) >= end
	return size, whole, end+lengthSize <= size && (!whole || pairs(b[field+lengthSize:end]))
}

// pairs reports whether metadata are keys and values.
func pairs(b []byte) bool {
	for odd := false; len(b) > 0 || odd; odd = !odd {
		if len(b) < lengthSize || lengthAt(b, 0) > len(b)-lengthSize {
			return false
		}
		b = b[lengthSize+lengthAt(b, 0):]
	}
	return true
}

func lengthAt(b []byte, at int) int { return int(binary.BigEndian.Uint32(b[at:])) }
