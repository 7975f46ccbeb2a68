// Package number reads the numbers of a benchmark's lines, sums up those of several rounds,
// and writes them as cells of tables.
package number

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Missing is the cell of a figure that was not measured.
const Missing = "–"

// Spread is how far the farthest of the values is from their median, as a part of the
// median; 0 if the median is 0.
func Spread(values []float64) float64 {
	middle := pairs.Median(values)
	if middle == 0 {
		return 0
	}
	return max(slices.Max(values)-middle, middle-slices.Min(values)) / middle
}

// Digits writes a value with three digits, or all before the point.
func Digits(v float64) string {
	places := 0
	for limit := 100.; places < 3 && v < limit && v != math.Trunc(v); limit /= 10 {
		places++
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// OrMissing writes the median of some values in units of a size; Missing if there are none.
func OrMissing(values []float64, size float64) string {
	if len(values) == 0 {
		return Missing
	}
	return Digits(pairs.Median(values) / size)
}

// WithSpread writes the median, and of several values their spread, as in "7.25 ±5 %".
func WithSpread(values []float64) string {
	if len(values) == 1 {
		return Digits(values[0])
	}
	return fmt.Sprintf("%s ±%.0f %%", Digits(pairs.Median(values)), 100*Spread(values))
}

// most is more than any key says. A product with a larger number might be infinite.
const most = 1e100

// Positive reads a number; it is 0 if the text is no number, or one that is not above 0.
func Positive(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0 && x < most) {
		return 0
	}
	return x
}

// Bytes reads a size as in "4MiB"; it is 0 if the text is no size.
func Bytes(size string) float64 {
	for i, unit := range []string{"GiB", "MiB", "KiB", "B"} {
		if value, ok := strings.CutSuffix(size, unit); ok {
			return Positive(value) * float64(int(1)<<(10*(3-i)))
		}
	}
	return Positive(size)
}
