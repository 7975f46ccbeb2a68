package plan

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
	"github.com/rpcbench/rpcbench/frameworks/suite/spread"
)

// Size is the sizes in bytes of a request and of the reply to it.
type Size struct {
	Request, Reply int
	// Spread is the distribution of the sizes of calls, whose replies are as large as their
	// requests; Request and Reply are then the mean. nil: all calls have the same sizes.
	Spread *spread.Spread
	key    string // of the distribution
}

// ReadSize reads a value of -size: one size for both, those of request and reply, as in
// 1KiB:16KiB, or a distribution, as in mix:64B-60_1KiB-30_64KiB-10.
func ReadSize(s string) (size Size, err error) {
	if kinds.MatchString(s) {
		return readSizes(s)
	}
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

// kinds are texts of distributions. No size begins with a letter.
var kinds = regexp.MustCompile(`^[a-zA-Z]+:`)

// readSizes reads a distribution of sizes.
func readSizes(text string) (size Size, err error) {
	sizes, err := spread.Read(text, spread.Unit{
		Read:  func(text string) (int64, error) { n, err := ParseSize(text); return int64(n), err },
		Write: formatSize,
		Most:  maxSize,
	})
	if err != nil {
		return Size{}, err
	}
	mean := int(math.Round(sizes.Mean()))
	return Size{mean, mean, &sizes, key(&sizes)}, nil
}

// Varies reports whether calls have different sizes.
func (s Size) Varies() bool { return s.Spread != nil }

// key is the text of a distribution, with the name and a checksum of a file instead of its
// path: two files of one name may have different sizes.
func key(s *spread.Spread) string {
	path, found := strings.CutPrefix(s.String(), "file:")
	if !found {
		return s.String()
	}
	return "file:" + value.OfFile(path) + "-" + s.Sum()[:8]
}

// About describes the sizes of calls that have different ones, so that two runs are seen to
// have had the same: those with the same sequence.
func (s Size) About() string {
	return "size=" + s.key + ": " + strings.TrimPrefix(s.Spread.Describe(formatSize), s.Spread.String()+": ")
}

func formatSize(n int64) string { return FormatSize(int(n)) }

// String writes the size as the size= key does.
func (s Size) String() string {
	switch {
	case s.Varies():
		return s.key
	case s.Differs():
		return FormatSize(s.Request) + ":" + FormatSize(s.Reply)
	}
	return FormatSize(s.Request)
}

// Differs reports whether the reply is to have another size than the request.
func (s Size) Differs() bool { return s.Request != s.Reply }

// Largest is the larger one, or the largest of all calls.
func (s Size) Largest() int {
	if s.Varies() {
		return int(s.Spread.Largest())
	}
	return max(s.Request, s.Reply)
}

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
