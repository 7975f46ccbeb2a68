// Package figure writes percentiles, times and rates in as many digits as a reader needs.
package figure

import (
	"fmt"
	"time"
)

// Percentile is the name of a quantile: p99.9 for 0.999.
func Percentile(q float64) string { return fmt.Sprintf("p%.5g", q*100) }

// Short is d in three significant digits.
func Short(d time.Duration) time.Duration { return significant(d, 1e3) }

// Rounded is d in four significant digits.
func Rounded(d time.Duration) time.Duration { return significant(d, 1e4) }

// significant rounds d to the smallest power of ten of which it has less than limit.
func significant(d time.Duration, limit int64) time.Duration {
	unit := time.Duration(1)
	for int64(d/unit) >= limit {
		unit *= 10
	}
	return d.Round(unit)
}

// Rate is n per d as a rate per second: whole from 1,000 on, else in four digits; 0 if d is 0.
func Rate(n int64, d time.Duration) string {
	each := PerSecond(n, d)
	if each >= 1000 {
		return fmt.Sprintf("%.0f", each)
	}
	return fmt.Sprintf("%.4g", each)
}

// PerSecond is the rate of n calls in d; 0 if d is 0.
func PerSecond(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}
