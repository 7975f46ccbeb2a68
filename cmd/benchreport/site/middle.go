package site

import "slices"

// interval is the 95 % interval of a median: from the k-th smallest value to the k-th largest,
// or false if there are too few values. k is the largest number for which a fair coin, tossed
// once for each value, shows fewer than k heads with a probability of 2.5 % at most.
func interval(values []float64) (low, high float64, ok bool) {
	s := slices.Sorted(slices.Values(values))
	n, out, below := len(s), 0, 0.0
	p := 1.0
	for range n {
		p /= 2
	}
	for k := range n {
		if below += p; below > 0.025 {
			break
		}
		out = k + 1
		p *= float64(n-k) / float64(k+1)
	}
	if out == 0 {
		return 0, 0, false
	}
	return s[out-1], s[n-out], true
}
