package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// sizeUnits are the units of a size, the largest first.
var sizeUnits = []struct {
	name  string
	bytes int
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// ParseSize reads a size in bytes as the size= key writes it.
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
