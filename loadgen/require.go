package loadgen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/condition"
	"github.com/rpcbench/rpcbench/loadgen/internal/figure"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// Require returns an error that names each condition which r does not meet, and what the
// figure was; nil if r meets all. It is for tests, and for programs with exit codes. A text
// has one condition, or several separated by commas, each a figure, one of <, <=, >, >= and
// =, and a limit:
//
//	p99<200ms  p99.9<=1s  max<2s  mean<5ms     of Response; with service. or lag. before it of that
//	errors<0.1%  errors=0                      Failed, as a share of Sent or as a number
//	dropped<1%  dropped=0                      Dropped, as a share of Due or as a number
//	goodput>=490  calls>=1000                  correct calls per second; Sent
//	warnings=0                                 how many Warnings there are
//	p99{login}<200ms                           of the Part of that name
//
// A percentile needs ten calls above it, see [Histogram.EnoughFor]: without them its
// condition is not met, since nothing is known of it. A text that is no condition is an
// error as well, whatever r is.
func (r *Result) Require(conditions ...string) error {
	list, err := condition.Parse(conditions...)
	if err != nil {
		return fmt.Errorf("loadgen: %w", err)
	}
	var unmet []string
	for i := range list {
		if why := r.unmet(&list[i]); why != "" {
			unmet = append(unmet, list[i].Text+": "+why)
		}
	}
	switch {
	case len(unmet) == 0:
		return nil
	case len(list) == 1:
		return fmt.Errorf("loadgen: condition not met: %s", unmet[0])
	}
	return fmt.Errorf("loadgen: %d of %d conditions not met: %s", len(unmet), len(list), strings.Join(unmet, "; "))
}

// unmet says why a condition is not met, and nothing if it is.
func (r *Result) unmet(c *condition.Condition) string {
	of := r
	if c.Part != "" {
		i := slices.IndexFunc(r.Parts, func(p Part) bool { return p.Name == c.Part })
		if i < 0 {
			return r.noPart()
		}
		of = r.Parts[i].Result
	}
	if c.IsTime() {
		return of.unmetTime(c)
	}
	value, text := of.counted(c)
	if c.Met(value) {
		return ""
	}
	return text
}

func (r *Result) noPart() string {
	if len(r.Parts) == 0 {
		return "the run has no parts"
	}
	names := make([]string, len(r.Parts))
	for i, p := range r.Parts {
		names[i] = foreign.Line(p.Name)
	}
	return "there is no such part: there are " + strings.Join(names, ", ")
}

func (r *Result) unmetTime(c *condition.Condition) string {
	h := []*Histogram{&r.Response, &r.Service, &r.Lag}[c.Column]
	if c.Kind == condition.Percentile && !h.EnoughFor(c.Quantile) || h.total == 0 {
		return fmt.Sprintf("it is not known from %d calls", h.total)
	}
	var value time.Duration
	switch c.Kind {
	case condition.Percentile:
		value = h.Quantile(c.Quantile)
	case condition.Max:
		value = h.Max()
	default:
		value = h.Mean()
	}
	if c.Met(float64(value)) {
		return ""
	}
	if short := figure.Rounded(value); !c.Met(float64(short)) {
		value = short
	}
	return fmt.Sprintf("it is %v", value)
}

// counted returns the figure of a condition that is not about times, and its text.
func (r *Result) counted(c *condition.Condition) (value float64, text string) {
	switch c.Kind {
	case condition.Errors:
		return countOrShare(c, r.Failed, r.Sent)
	case condition.Dropped:
		return countOrShare(c, r.Dropped, r.Due)
	case condition.Goodput:
		return r.Goodput(), fmt.Sprintf("it is %s calls/s", r.goodputFor(c))
	case condition.Calls:
		return float64(r.Sent), fmt.Sprintf("%d were made", r.Sent)
	}
	texts := make([]string, len(r.Warnings))
	for i, w := range r.Warnings {
		texts[i] = foreign.Line(w.Error())
	}
	return float64(len(r.Warnings)), fmt.Sprintf("there are %d: %s", len(texts), strings.Join(texts, "; "))
}

// goodputFor is the goodput as a report has it, unless that would meet a condition which is not met.
func (r *Result) goodputFor(c *condition.Condition) string {
	short := figure.Rate(r.OK, r.Elapsed)
	if rounded, err := strconv.ParseFloat(short, 64); err == nil && c.Met(rounded) {
		return fmt.Sprint(r.Goodput())
	}
	return short
}

// countOrShare is a number of calls, or its share of all. Without calls nothing is known, and no
// condition is met.
func countOrShare(c *condition.Condition, n, all int64) (value float64, text string) {
	if all == 0 {
		return math.NaN(), "there were no calls"
	}
	value = float64(n)
	percent := value * 100 / float64(all) // in this order 7 of 1000 are 0.7, as it is written
	if c.Share {
		value = percent
	}
	return value, fmt.Sprintf("%d of %d, %.3g %%", n, all, percent)
}
