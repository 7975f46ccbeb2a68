package stack

import (
	"fmt"
	"strconv"
)

// MostChained is the largest number of interceptors on each side.
const MostChained = 100

// ReadChain reads a value of chain=.
func ReadChain(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > MostChained || strconv.Itoa(n) != text {
		return 0, fmt.Errorf("chain=%s: must be a whole number of interceptors on each side, from 0 to %d", text, MostChained)
	}
	return n, nil
}

// chainText is the value of chain=, "" for 0.
func chainText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
