package search

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// slo is a latency objective, as in p99-5ms.
type slo struct {
	name     string
	quantile float64
	latency  time.Duration
}

func readSLO(s string) (slo, error) {
	percentile, latency, _ := strings.Cut(s, "-")
	p, err := strconv.ParseFloat(strings.TrimPrefix(percentile, "p"), 64)
	d, derr := time.ParseDuration(latency)
	if !strings.HasPrefix(s, "p") || cmp.Or(err, derr) != nil || !(p > 0 && p < 100) || d <= 0 {
		return slo{}, fmt.Errorf("%q is no objective such as p99-5ms, of a percentile between 0 and 100 and a time more than 0", s)
	}
	return slo{s, p / 100, d}, nil
}
