// Package turns is the order in which programs run that are compared with each other.
package turns

import "slices"

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
