package sparse

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCounts(t *testing.T) {
	var c, sum Counts
	assert.Zero(t, c.At(1000), "a bucket that was never used")
	want := map[int]int64{0: 3, 63: 1, 64: 5, 31743: 2}
	for bucket, n := range want {
		c.Add(bucket, n-1)
		c.Add(bucket, 1)
	}
	assert.EqualValues(t, 11, c.Total())
	assert.Equal(t, want, maps.Collect(c.From(0)))
	for bucket, n := range want {
		assert.Equal(t, n, c.At(bucket))
		assert.Zero(t, c.At(bucket+2))
	}
	assert.Equal(t, map[int]int64{64: 5, 31743: 2}, maps.Collect(c.From(64)), "a bucket that is the first of its block")
	assert.Equal(t, map[int]int64{31743: 2}, maps.Collect(c.From(65)), "from the middle of a block")
	assert.Empty(t, maps.Collect(c.From(1<<20)))
	last := -1
	for bucket := range c.From(0) {
		assert.Greater(t, bucket, last, "in the order of the buckets")
		last = bucket
		if bucket == 63 {
			break
		}
	}
	assert.Equal(t, 63, last)
	sum.Merge(&c)
	sum.Merge(&c)
	assert.EqualValues(t, 22, sum.Total())
	assert.EqualValues(t, 10, sum.At(64))
	c.Empty()
	assert.Zero(t, c.Total())
	assert.Empty(t, maps.Collect(c.From(0)))
	assert.EqualValues(t, 10, sum.At(64), "they share no counts")
	c.Add(64, 1)
	assert.EqualValues(t, 1, c.At(64))
}
