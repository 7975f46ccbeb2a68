package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// Size is the sizes in bytes of a request and of the reply to it.
type Size struct{ Request, Reply int }

// ReadSize reads a value of -size: one size for both, or those of request and reply, as in
// 1KiB:16KiB.
func ReadSize(s string) (size Size, err error) {
	request, reply, found := strings.Cut(s, ":")
	if size.Request, err = ParseSize(request); err != nil {
		return Size{}, err
	}
	size.Reply = size.Request
	if found {
		size.Reply, err = ParseSize(reply)
	}
	return size, err
}

// String writes the size as the size= key does.
func (s Size) String() string {
	if s.Differs() {
		return FormatSize(s.Request) + ":" + FormatSize(s.Reply)
	}
	return FormatSize(s.Request)
}

// Differs reports whether the reply is to have another size than the request.
func (s Size) Differs() bool { return s.Request != s.Reply }

// Largest is the larger one.
func (s Size) Largest() int { return max(s.Request, s.Reply) }

// sizeUnits are the units of a size, the largest first.
var sizeUnits = []struct {
	name  string
	bytes int
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// ParseSize reads a number of bytes.
func ParseSize(s string) (int, error) {
	for _, u := range sizeUnits {
		digits, found := strings.CutSuffix(s, u.name)
		if !found {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 || n > maxSize/u.bytes {
			break
		}
		return n * u.bytes, nil
	}
	return 0, fmt.Errorf("%q is not a size: use a whole number and B, KiB, MiB or GiB, up to 1GiB, as in 256B or 64KiB", s)
}

const maxSize = 1 << 30

// FormatSize writes n bytes in the largest unit that has no fraction.
func FormatSize(n int) string {
	for _, u := range sizeUnits {
		if n > 0 && n%u.bytes == 0 {
			return strconv.Itoa(n/u.bytes) + u.name
		}
	}
	return "0B"
}
