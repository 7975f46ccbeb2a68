package arpc

import (
	"strings"
	"unsafe"
)

// uncleared is the size in bytes from which memory for a message is not cleared.
const uncleared = 1 << 20

// malloc allocates the memory that a message's header announces. arpc reads the message
// into it afterwards. A large one is not cleared before: else a few bytes of a stranger
// would make hundreds of MiB resident.
func malloc(n int) []byte {
	if n < uncleared {
		return make([]byte, n)
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}
