// Package chain says how a framework runs interceptors around calls, for adapters whose
// variants can have any number of them.
//
// The interceptors are the framework's own, on both sides, and do nothing but call the next
// one: their figures are what governance costs before it does anything. An adapter describes
// them by Means, and adds as many on each side as the Chain of its layer.Stack says.
package chain

import (
	"fmt"
	"strconv"
)

// Most is the largest number of interceptors on each side.
const Most = 100

// Means says how a framework has interceptors around calls, on both sides. The zero Means are
// of one that has none.
type Means struct {
	// By names the framework's API, in a clause of a few words; "" for none.
	By string
	// Instead says what a framework without By has that does not do, as on one side alone;
	// "" for nothing.
	Instead string
	// Apart says why a call does not run inside the framework's interceptors, in a clause, so
	// that its stack does not show them; "" if it does.
	Apart string
}

// Read reads a value of chain=: a number in decimal digits, from 0 to Most.
func Read(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > Most || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("chain=%s: must be a whole number of interceptors on each side, from 0 to %d", text, Most)
	}
	return n, nil
}

// Text is the value of chain=, "" for 0.
func Text(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
