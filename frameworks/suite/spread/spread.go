// Package spread has distributions of sizes and of times, such as a lognormal one, for workloads
// whose calls differ: their values come in an order that is always the same.
//
// A Spread is a table of equally likely values, 20,000 unless a file has others, in an order
// that a seed shuffles. The n-th call takes the n-th value, and the table begins anew after its
// last. What many calls take therefore has the mean and the quantiles of the distribution
// almost exactly, where values that are drawn one by one would differ by chance. Whoever reads
// the same text has the same values in the same order.
//
// The texts are
//
//	1ms                          a value that all calls take
//	mix:150us-90_2ms-9_20ms-1    values and how many per cent of the calls take each
//	exponential:1ms              the mean
//	lognormal:1ms:3              the median, and by which factor the values spread: 68 % of
//	                             them lie between 1/3 and 3 times the median
//	pareto:1ms:1.5               the least value and the exponent: the share of values over x
//	                             times the least is x to the power of -1.5
//	file:sizes.txt               a value a line, each as likely as the others
//
// A mix may also be written without its word, and with colons, as in 150us:90_2ms:9_20ms:1.
// Values are written as the reader's unit wants them: as durations, or as sizes. A factor
// before a text multiplies each of its values, in the same order: 10x:exponential:1ms.
package spread

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

// Spread is a distribution. Its zero value has no values and must not be asked for any.
type Spread struct {
	text   string
	values []int64 // in the order of the calls
}

// Entries is how many values a Spread has that is not read from a file.
const Entries = 20_000

// seed is a part of what shuffles the values, see shuffle.
const seed = 48

// At is the value of the n-th call, counted from 0. It is at least 0.
func (s Spread) At(n uint64) int64 { return s.values[n%uint64(len(s.values))] }

// Len is after how many calls the values begin anew.
func (s Spread) Len() int { return len(s.values) }

// String is the text that the Spread was read from.
func (s Spread) String() string { return s.text }

// Mean is the mean of the values.
func (s Spread) Mean() float64 {
	sum := 0.0
	for _, v := range s.values {
		sum += float64(v)
	}
	return sum / float64(len(s.values))
}

// Largest is the largest value.
func (s Spread) Largest() int64 { return slices.Max(s.values) }

// Quantile is the least value that a share p, from 0 to 1, of the values does not exceed.
func (s Spread) Quantile(p float64) int64 {
	sorted := slices.Sorted(slices.Values(s.values))
	rank := int(math.Ceil(p * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Sum is a checksum of the values in their order (64-bit FNV-1a). Two runs with the same Sum
// have the same calls.
func (s Spread) Sum() string { return fmt.Sprintf("%016x", sum(s.values)) }

func sum(values []int64) uint64 {
	sum := fnv.New64a()
	for _, v := range values {
		_ = binary.Write(sum, binary.LittleEndian, v) // a hash does not fail
	}
	return sum.Sum64()
}

// Describe says what the values are: a single one as write has it, and of several the text,
// the mean, p50, p99, the largest, and the checksum of their order.
func (s Spread) Describe(write func(int64) string) string {
	if s.Largest() == s.Quantile(0) {
		return write(s.Largest())
	}
	mean := int64(math.Round(s.Mean()))
	return fmt.Sprintf("%s: mean %s, p50 %s, p99 %s, largest %s, sequence %s",
		s.text, write(mean), write(s.Quantile(0.5)), write(s.Quantile(0.99)), write(s.Largest()), s.Sum())
}

// shuffle puts values into the order of the seed. What they are is part of it, so that two
// distributions, of sizes and of times say, do not have their largest values in the same calls.
func shuffle(values []int64) {
	random := rand.New(rand.NewPCG(seed, sum(values)))
	random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
}
