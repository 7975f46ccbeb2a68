package sample

import (
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
)

// Enough is the number of messages from which on no warning is given. A loop takes its
// messages in turn, so that the branches of a few of them are a short pattern, which the
// branch predictor of a CPU learns: it remembers some thousand branches, and an everyday
// message has some hundred, one or two for each of its fields and for each byte of its
// integers. With fewer than eight messages a decoder seems faster than it is with messages
// that nobody knows.
const Enough = 8

// Warnings say why figures of the sample may not hold for other messages. sizes has the
// bytes of each encoded message, for each serializer.
func (s *Sample) Warnings(sizes [][]int) (list []string) {
	n, decide := len(s.List), ": sizes and branches decide what a serializer takes"
	differs := func(m any) bool { return !s.Equal(m, s.List[0]) }
	switch {
	case n == 1:
		list = append(list, fmt.Sprintf("there is one %s%s, and a branch predictor learns those of one message; %d that differ are the least", s.Name, decide, Enough))
	case !slices.ContainsFunc(s.List[1:], differs):
		list = append(list, fmt.Sprintf("all %d of %s are equal%s, and a branch predictor learns those of one message", n, s.Name, decide))
	case n < Enough:
		list = append(list, fmt.Sprintf("there are only %d of %s%s, and a branch predictor learns those of %d; %d that differ are the least", n, s.Name, decide, n, Enough))
	case len(sizes) > 0 && !slices.ContainsFunc(sizes, varied):
		list = append(list, fmt.Sprintf("all %d of %s have one encoded size%s, and those of real messages mostly vary", n, s.Name, decide))
	}
	if n > bed.Warm {
		list = append(list, fmt.Sprintf("the first %d of %d of %s are taken in turn; -data=cold takes %d", bed.Warm, n, s.Name, bed.Cold))
	}
	return list
}

// varied reports whether a list has different numbers.
func varied(sizes []int) bool { return slices.Min(sizes) != slices.Max(sizes) }
