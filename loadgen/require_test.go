package loadgen

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// ofTwoParts is a result of 2,000 calls in 2 s: 1,000 took 1 ms, 990 took 10 ms and 10, which
// failed, 1 s. The part "slow" has all but the first.
func ofTwoParts() *Result {
	part := func(record func(*Result)) *Result {
		r := &Result{Elapsed: 2 * time.Second}
		record(r)
		r.Service.Merge(&r.Response)
		r.count()
		return r
	}
	slow := func(r *Result) {
		r.Response.Record(10*time.Millisecond, 990)
		r.Response.Record(time.Second, 10)
		r.Errors.Record(time.Second, 10)
	}
	fast := func(r *Result) { r.Response.Record(time.Millisecond, 1000) }
	all := part(func(r *Result) { slow(r); fast(r); r.Dropped = 500 })
	all.Parts = []Part{{"fast", part(fast)}, {"slow", part(slow)}}
	all.Warnings = []error{errors.New("the sky\nfell")}
	return all
}

func TestRequire(t *testing.T) {
	for _, c := range []struct{ about, conditions, say string }{
		{"all are met", "p50<2ms,p90<11ms,p99<11ms,max<=1.1s,errors<=0.5%,errors<11,goodput>990,calls=2000,dropped<21%,warnings<2", ""},
		{"a percentile", "p99<5ms", "loadgen: condition not met: p99<5ms: it is 10ms"},
		{"a percentile that rounds to its limit", "p99<=10ms", "loadgen: condition not met: p99<=10ms: it is 10.00"},
		{"one of two", "p50<2ms,p99<5ms", "loadgen: 1 of 2 conditions not met: p99<5ms: it is 10ms"},
		{"several, each named", "p99<5ms,errors<0.1%,calls>1", "loadgen: 2 of 3 conditions not met: p99<5ms: it is 10ms; errors<0.1%: 10 of 2000, 0.5 %"},
		{"too few calls for a percentile", "p99.9<1h", "loadgen: condition not met: p99.9<1h: it is not known from 2000 calls"},
		{"no values at all", "lag.max<1h", "loadgen: condition not met: lag.max<1h: it is not known from 0 calls"},
		{"a mean", "service.mean<1ms", "loadgen: condition not met: service.mean<1ms: it is 10.45ms"},
		{"a rate", "goodput>=1000", "loadgen: condition not met: goodput>=1000: it is 995 calls/s"},
		{"a number of calls", "calls>1e6", "loadgen: condition not met: calls>1e6: 2000 were made"},
		{"dropped calls are of those due", "dropped<20%", "loadgen: condition not met: dropped<20%: 500 of 2500, 20 %"},
		{"warnings are told in a line", "warnings=0", `loadgen: condition not met: warnings=0: there are 1: the sky\nfell`},
		{"a part that meets it", "max{fast}<2ms,errors{fast}=0", ""},
		{"a part that does not", "max{slow}<2ms", "loadgen: condition not met: max{slow}<2ms: it is 1s"},
		{"a part that is not there", "max{gone}<2ms", "loadgen: condition not met: max{gone}<2ms: there is no such part: there are fast, slow"},
		{"what is no condition", "p99", `loadgen: condition "p99" has none of <, <=, >, >= and =`},
	} {
		err := ofTwoParts().Require(c.conditions)
		if c.say == "" {
			assert.NoError(t, err, c.about)
			continue
		}
		assert.ErrorContains(t, err, c.say, c.about)
	}
}

// TestAShareThatIsItsLimit is no more than it, and no less.
func TestAShareThatIsItsLimit(t *testing.T) {
	for n := range int64(1000) {
		r := &Result{Sent: 1000, Failed: n}
		limit := fmt.Sprintf("%d.%d%%", n/10, n%10)
		assert.NoError(t, r.Require("errors<="+limit, "errors>="+limit, "errors="+limit))
	}
}

// TestAGoodputThatRoundsToItsLimit is told in all its digits.
func TestAGoodputThatRoundsToItsLimit(t *testing.T) {
	r := &Result{Sent: 1000, OK: 1000, Elapsed: time.Second + time.Microsecond}
	assert.ErrorContains(t, r.Require("goodput>=1000"), "goodput>=1000: it is 999.999")
}

// TestARunWithoutCallsMeetsNothing that is about calls.
func TestARunWithoutCallsMeetsNothing(t *testing.T) {
	for _, condition := range []string{"p50<1s", "max<1s", "errors=0", "errors<1%", "dropped=0", "goodput>0", "calls>0", "max{a}<1s"} {
		assert.Error(t, new(Result).Require(condition), condition)
	}
}

func TestWhatIsNoCondition(t *testing.T) {
	assert.ErrorContains(t, new(Result).Require("p99<1s", "p99"), "loadgen: condition ")
	assert.ErrorContains(t, new(Result).Require(), "loadgen: no condition is given")
}
