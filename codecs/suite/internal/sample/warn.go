package sample

import (
	"fmt"
	"slices"
)

// Enough is the number of messages from which on no warning is given. A loop takes its
// messages in turn, so that the branches of a few of them are a short pattern, which the
// branch predictor of a CPU learns: it remembers some thousand branches, and a message of
// everyday has one or two for each of its fields, and for each byte of its integers, some
// hundred in all. With fewer than eight messages a decoder seems faster than it is with messages that
// nobody knows.
const Enough = 8

// Warning says why figures of the sample may not hold for others; "" if nothing is known.
// sizes has the bytes of each encoded message, for each serializer that encodes.
func (s *Sample) Warning(sizes [][]int) string {
	n := len(s.List)
	same := func(m any) bool { return s.Equal(m, s.List[0]) }
	switch {
	case n < Enough:
		return fmt.Sprintf("only %d of %s: sizes and branches decide, and a branch predictor learns the branches of so few; %d that differ are the least", n, s.Name, Enough)
	case !slices.ContainsFunc(s.List[1:], func(m any) bool { return !same(m) }):
		return fmt.Sprintf("all %d of %s are equal: sizes and branches decide, and a branch predictor learns the branches of one message", n, s.Name)
	case len(sizes) > 0 && !slices.ContainsFunc(sizes, varied):
		return fmt.Sprintf("all %d of %s have one encoded size: sizes and branches decide, and those of real messages mostly vary", n, s.Name)
	}
	return ""
}

// varied reports whether a list has different numbers.
func varied(sizes []int) bool { return len(sizes) > 0 && slices.Min(sizes) != slices.Max(sizes) }
