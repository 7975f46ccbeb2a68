package astray

import (
	"bytes"
	"encoding/binary"
	"net"
)

// payload is how many bytes a call sends. Smaller bodies are of the greeting, or of the protocol.
const payload = 1 << 10

// reply is a frame, whose end is the body.
type reply struct {
	frame, own []byte // own is a copy of the body as the server sent it
	body       int    // the byte of the frame where the body begins
	conn       *conn
	fault      string // "" for none
}

// conn is a client's connection.
type conn struct {
	net.Conn
	queue  []*reply // not sent yet
	before []byte   // the body of the last reply
	late   int      // how many replies still get the body of the reply before theirs
}

// caller tells callers apart, by bytes from the middle of a payload: each caller has others, and
// the same in all calls. Before it is the number of a call, and behind it may be anything.
// The fields of a map come in any order, but then the payload comes behind its length.
func (r *reply) caller() string {
	length := binary.BigEndian.AppendUint32(nil, payload)
	at := max(bytes.Index(r.own[:payload/4], length), 0)
	return string(r.own[at+payload/2:][:payload/4])
}

// replace replaces the body if the other is as long and differs.
func (r *reply) replace(body []byte, fault string) {
	if len(body) == len(r.own) && !bytes.Equal(body, r.own) {
		copy(r.frame[r.body:], body)
		r.fault = fault
	}
}
