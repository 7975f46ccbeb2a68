// Package turns is how programs take turns that are compared with each other: in which
// order, what each is told, and what is kept of what it says.
package turns

import (
	"bytes"
	"fmt"
	"slices"
	"time"
)

// EnvRounds tells a binary how many of its runs are taken together: package loadbench,
// which has the same constant, leaves out percentiles of few calls.
const EnvRounds = "RPCBENCH_ROUNDS"

// Told is what a binary is told in its environment, NAME=value.
func Told(rounds int) string { return fmt.Sprintf("%s=%d", EnvRounds, rounds) }

// Order is the order of n in a turn. The first turn has it as given; in n turns
// each has every place once, and in the next n the orders come backwards. In
// these 2n turns each runs twice behind every other, so that what one leaves
// behind, as heat or a full cache, does not favour any.
func Order(turn, n int) []int {
	if turn %= 2 * n; turn >= n {
		list := Order(2*n-1-turn, n)
		slices.Reverse(list)
		return list
	}
	// 0, 1, n-1, 2, n-2, ... has every distance between neighbours, and so have
	// these numbers with the turn taken off.
	zigzag, at := make([]int, n), make([]int, n)
	for i := range n {
		zigzag[i] = (i + 1) / 2
		if i%2 == 0 {
			zigzag[i] = (n - i/2) % n
		}
		at[zigzag[i]] = i
	}
	list := make([]int, n)
	for i, z := range zigzag {
		list[i] = at[(z+n-turn)%n]
	}
	return list
}

// Notes returns the lines with # of what a binary said beside its results: which
// of them not to trust.
func Notes(said []byte) (list []byte) {
	for line := range bytes.Lines(said) {
		if bytes.HasPrefix(line, []byte("# ")) && bytes.HasSuffix(line, []byte("\n")) {
			list = append(list, line...)
		}
	}
	return list
}

// Clock writes d as minutes and seconds.
func Clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
