package loadgen

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// closedCallsOf returns the driver of a closed loop that ends at the given time.
func closedCallsOf(cfg Config, end time.Duration, batch int64) *closedCalls {
	r := new(run)
	r.Config, r.end = cfg, end
	return &closedCalls{caller: caller{run: r}, batch: batch}
}

// TestClaimsShrinkTowardsTheEnd has one worker claim 100 calls in batches of 16 at
// most: of those left, it never takes more than a quarter, but for the last three.
func TestClaimsShrinkTowardsTheEnd(t *testing.T) {
	r := closedCallsOf(Config{Calls: 100, Workers: 1, Warmup: 10}, math.MaxInt64, 16)
	w := new(worker)
	var claims []int64
	calls := 0
	for taken := int64(0); r.mayStart(w, time.Second); calls++ {
		if n := r.taken.Load(); n != taken {
			claims, taken = append(claims, n-taken), n
		}
	}
	assert.Equal(t, []int64{16, 16, 16, 13, 9, 7, 5, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1}, claims)
	assert.Equal(t, 100, calls)
}

// TestOneOfTwoWorkersLeavesMore halves what each of two may claim.
func TestOneOfTwoWorkersLeavesMore(t *testing.T) {
	r := closedCallsOf(Config{Calls: 100, Workers: 2}, math.MaxInt64, 16)
	assert.True(t, r.mayStart(new(worker), 0))
	assert.EqualValues(t, 12, r.taken.Load(), "an eighth of 100")
}

// TestCallsOfTheWarmUpAreNotClaimed nor is any after the end.
func TestCallsOfTheWarmUpAreNotClaimed(t *testing.T) {
	r := closedCallsOf(Config{Calls: 1, Workers: 1, Warmup: 10}, 20, 1)
	w := new(worker)
	for range 3 {
		assert.True(t, r.mayStart(w, 9))
	}
	assert.Zero(t, r.taken.Load())
	assert.True(t, r.mayStart(w, 10))
	assert.False(t, r.mayStart(w, 19), "it was the last")
	assert.False(t, r.mayStart(w, 20), "after the end")
	r.taken.Store(0)
	r.Stopping.Store(true)
	assert.False(t, r.mayStart(new(worker), 19), "the run was stopped")
}
