package ask

import (
	"encoding/binary"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Reply is the Action of a call whose reply has n bytes, see ReplyTo. The handler
// first does what action asks for, which is handler.ActionEcho or a Work.
func Reply(n int, action string) string {
	a := reply + "/" + strconv.Itoa(n)
	if action != echo {
		a += "/" + action
	}
	return a
}

// IsReply reports whether an action asks for a reply of another size.
func IsReply(action string) bool { return strings.HasPrefix(action, reply+"/") }

// ReplyTo returns the Msg of the right reply to a request of handler.ActionEcho, of a Reply or
// of a Work. That of a Reply is shared and must not be changed.
func ReplyTo(action string, msg []byte) []byte {
	if n, _, ok := CutReply(action); ok {
		return PartOf(msg, n)
	}
	return msg
}

// maxReply bounds what a server allocates for a reply, in bytes.
const maxReply = 1 << 30

// CutReply returns the size that a Reply asks for, and the action before it.
func CutReply(action string) (n int, rest string, ok bool) {
	digits, found := strings.CutPrefix(action, reply+"/")
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

// PartOf returns n bytes of the sequence, which must not be changed. They begin at a place that the first three
// bytes of the request say, so that the reply to another request is a wrong one.
func PartOf(msg []byte, n int) []byte {
	var first [4]byte // the last one is 0
	copy(first[:3], msg)
	from := int(binary.LittleEndian.Uint32(first[:]) % starts)
	return sequenceOf(starts + n)[from : from+n : from+n]
}

// sequence has the bytes that replies consist of: they are random, because some
// frameworks compress. It is a package variable, because frameworks call handlers without an
// argument of ours.
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
