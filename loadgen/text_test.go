package loadgen

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// reportOf returns a result with n calls. Call i has the response i·step, half of which
// is service and half lag.
func reportOf(closed bool, n int64, step time.Duration) *Result {
	r := &Result{Closed: closed, Elapsed: 2 * time.Second, Due: n + n/5, Sent: n, OK: n - n/50, Failed: n / 50, Dropped: n / 5}
	for i := range n {
		d := time.Duration(i+1) * step
		r.Response.Record(d, 1)
		r.Service.Record(d/2, 1)
		if !closed {
			r.Lag.Record(d/2, 1)
		}
	}
	if closed {
		r.Due, r.Dropped = n, 0
	}
	return r
}

const openReport = `open loop, 2s: 12000 calls due, 10000 sent, 9800 ok, 200 failed, 2000 dropped
offered 6000 calls/s, goodput 4900 calls/s
          response   service       lag  95 % of response
p50         6.17ms    3.09ms    3.09ms  6.09ms to 6.253ms
p90         11.1ms    5.55ms    5.55ms
p99         12.2ms    6.11ms    6.11ms  ?
p99.9       12.3ms    6.16ms    6.16ms  ?
max         12.3ms    6.17ms    6.17ms
failed calls:
  150 × connection … refused
  50 × wrong reply:\ntwo lines
warnings:
  calls were dropped: 2000 of 12000 that were due`

const closedReport = `closed loop, 2s: 999 calls made, 980 ok, 19 failed
goodput 490 calls/s
          response  95 % of response
p50         50.5µs  ?
p90         90.9µs
max          101µs`

func TestReport(t *testing.T) {
	failed := reportOf(false, 10_000, 1234)
	failed.ErrorKinds = []ErrorKind{{"connection … refused", 150}, {"wrong reply:\ntwo lines", 50}}
	failed.Confidence = []Confidence{{.5, 6090 * time.Microsecond, 6253 * time.Microsecond}}
	failed.Warnings = []error{fmt.Errorf("%w: 2000 of 12000 that were due", ErrDropped)}
	for _, c := range []struct {
		about string
		res   *Result
		want  string
	}{
		{"an open loop has three columns, and says what went wrong and what is not known", failed, openReport},
		{"a closed loop has one, and p99 needs 1,000 calls", reportOf(true, 999, 101), closedReport},
		{"a run without calls has no times", &Result{}, "open loop, 0s: 0 calls due, 0 sent, 0 ok, 0 failed, 0 dropped\noffered 0 calls/s, goodput 0 calls/s"},
		{"no run was made, since there was an error", nil, "<nil>"},
	} {
		assert.Equal(t, c.want, fmt.Sprint(c.res), c.about)
	}
}

// TestReportIsShort: the report of any result fits a screen.
func TestReportIsShort(t *testing.T) {
	res := reportOf(false, 10_000, time.Minute)
	for i := range 100 {
		res.ErrorKinds = append(res.ErrorKinds, ErrorKind{strings.Repeat(fmt.Sprint("é", i), 1000), 1})
		res.Warnings = append(res.Warnings, errors.New(strings.Repeat("w\n", 1000)))
	}
	lines := strings.Split(strings.TrimSpace(res.String()), "\n")
	assert.LessOrEqual(t, len(lines), 30)
	for _, l := range lines {
		assert.LessOrEqual(t, len([]rune(l)), 170)
	}
	assert.Contains(t, res.String(), "  and 91 more\n")
}

const partsReport = `response by part                          sent    failed       p50       p99       max
fast                                      1000         0       1ms       1ms       1ms
…nd of a name that no column holds\n       500         0      10ms         -      10ms
nothing                                      0         0         -         -         -
`

func TestPartsHaveARowEach(t *testing.T) {
	part := func(name string, n int64, d time.Duration) Part {
		r := &Result{Elapsed: time.Second}
		r.Response.Record(d, n)
		r.count()
		return Part{name, r}
	}
	res := reportOf(false, 1500, time.Microsecond)
	res.Parts = []Part{part("fast", 1000, time.Millisecond), part("the beginning and the end of a name that no column holds\n", 500, 10*time.Millisecond), part("nothing", 0, 0)}
	assert.Contains(t, res.String()+"\n", partsReport)
	for range 60 {
		res.Parts = append(res.Parts, res.Parts[0])
	}
	assert.Contains(t, res.String(), "\nand 13 parts more")
	assert.LessOrEqual(t, strings.Count(res.String(), "\n"), 80)
}

// TestFewerValuesHaveADash: calls that did not return have only a response.
func TestFewerValuesHaveADash(t *testing.T) {
	res := reportOf(false, 999, time.Microsecond)
	res.Response.Record(time.Second, 1)
	assert.Contains(t, res.String(), "\np99          990µs         -         -  ?\n")
}

func TestHistogramInALine(t *testing.T) {
	of := func(n int64) *Histogram { return &reportOf(true, n, time.Microsecond).Response }
	for _, c := range []struct {
		about string
		h     *Histogram
		want  string
	}{
		{"an empty one", new(Histogram), "no values"},
		{"a median needs one value", of(1), "1 values: p50 1µs, max 1µs"},
		{"p90 needs a hundred", of(100), "100 values: p50 50µs, p90 90µs, max 100µs"},
		{"p99.9 needs ten thousand", of(10_000), "10000 values: p50 5ms, p90 9ms, p99 9.9ms, p99.9 9.99ms, max 10ms"},
	} {
		assert.Equal(t, c.want, fmt.Sprint(c.h), c.about)
	}
}

func TestEnoughFor(t *testing.T) {
	for _, c := range []struct {
		q    float64
		n    int64
		want bool
	}{
		{.5, 0, false},
		{.5, 1, true},
		{.99, 999, false},
		{.99, 1_000, true},
		{.999, 9_999, false},
		{.999, 10_000, true},
		{1, 1_000_000, false},
	} {
		var h Histogram
		h.Record(1, c.n)
		assert.Equal(t, c.want, h.EnoughFor(c.q), "%d values for quantile %v", c.n, c.q)
	}
}
