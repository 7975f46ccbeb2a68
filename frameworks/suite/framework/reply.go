package framework

import (
	"encoding/binary"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// actionReply begins the Action of a call that asks for a reply of another size.
const actionReply = "reply/"

// ActionReply is the Action of a call whose reply has n bytes, see ReplyTo. The handler
// first does what action asks for, which is ActionEcho or an ActionWork.
func ActionReply(n int, action string) string {
	a := actionReply + strconv.Itoa(n)
	if action != ActionEcho {
		a += "/" + action
	}
	return a
}

// IsActionReply reports whether an action asks for a reply of another size.
func IsActionReply(action string) bool { return strings.HasPrefix(action, actionReply) }

// ReplyTo returns the Msg of the right reply to a request of ActionEcho, ActionReply or
// ActionWork. That of an ActionReply is shared and must not be changed.
func ReplyTo(request EchoMessage) []byte {
	if n, _, ok := cutReply(request.Action); ok {
		return partOf(request.Msg, n)
	}
	return request.Msg
}

// maxReply bounds what a server allocates for a reply, in bytes.
const maxReply = 1 << 30

// cutReply returns the size that an ActionReply asks for, and the action before it.
func cutReply(action string) (n int, rest string, ok bool) {
	digits, found := strings.CutPrefix(action, actionReply)
	if !found {
		return 0, "", false
	}
	digits, rest, _ = strings.Cut(digits, "/")
	n, err := strconv.Atoi(digits)
	return n, rest, err == nil && n >= 0 && n <= maxReply
}

// starts is how many parts of one length the sequence has. Two requests out of a
// thousand rarely have replies that begin at the same place.
const starts = 1 << 20

// partOf returns n bytes of the sequence. They begin at a place that the first three
// bytes of the request say, so that the reply to another request is a wrong one.
func partOf(msg []byte, n int) []byte {
	var first [4]byte // the last one is 0
	copy(first[:3], msg)
	from := int(binary.LittleEndian.Uint32(first[:]) % starts)
	return sequenceOf(starts + n)[from : from+n : from+n]
}

// sequence has the bytes that replies consist of: they are random, because some
// frameworks compress. It is a package variable for the same reason as serving.
var sequence struct {
	sync.Mutex // of those who extend it
	bytes      atomic.Pointer[[]byte]
}

// sequenceOf returns the sequence, with n bytes at least.
func sequenceOf(n int) []byte {
	if s := sequence.bytes.Load(); s != nil && len(*s) >= n {
		return *s
	}
	sequence.Lock()
	defer sequence.Unlock()
	if s := sequence.bytes.Load(); s != nil && len(*s) >= n {
		return *s
	}
	s := splitMix(n)
	sequence.bytes.Store(&s)
	return s
}

// splitMix returns n bytes or a few more: the numbers of SplitMix64 with the seed 0, in
// little-endian order.
func splitMix(n int) []byte {
	b := make([]byte, 0, n+8)
	for state := uint64(0); len(b) < n; {
		state += 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		b = binary.LittleEndian.AppendUint64(b, z^z>>31)
	}
	return b
}
