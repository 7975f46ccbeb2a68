//go:build !race

// Nothing here runs beside anything else: the race detector could find nothing.

package loadgen

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBucketsAreInOrderAndNarrow(t *testing.T) {
	assert.Equal(t, 0, bucket.Of(-5))
	assert.Equal(t, bucket.Count-1, bucket.Of(math.MaxInt64))
	assert.Equal(t, MaxLatency, bucket.High(bucket.Count-1))
	low := time.Duration(0)
	for i := range bucket.Count {
		high := bucket.High(i)
		require.Equal(t, i, bucket.Of(low))
		require.Equal(t, i, bucket.Of(high))
		require.LessOrEqual(t, float64(high-low), float64(low)/1024)
		low = high + 1
	}
}

// TestQuantilesAreExactEnough compares with the sorted values themselves.
func TestQuantilesAreExactEnough(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		var h Histogram
		values := make([]float64, 200_000)
		sum := 0.0
		for i := range values {
			v := math.Floor(math.Exp(random.NormFloat64()*2 + 12))
			values[i] = v
			sum += v
			h.Record(time.Duration(v), 1)
		}
		slices.Sort(values)
		for _, q := range []float64{0, .01, .5, .9, .99, .999, .9999, 1} {
			want := values[max(int(math.Ceil(q*float64(len(values))))-1, 0)]
			assert.InEpsilon(t, want, float64(h.Quantile(q)), .001, "q %v", q)
		}
		assert.InEpsilon(t, sum/float64(len(values)), float64(h.Mean()), .001)
		assert.InEpsilon(t, values[0], float64(h.Min()), .001)
		assert.InEpsilon(t, values[len(values)-1], float64(h.Max()), .001)
	}
}

// go vet reports copies of what holds a type with these methods.
var _ interface {
	Lock()
	Unlock()
} = (*noCopy)(nil)

func TestEmptyHistogram(t *testing.T) {
	var h Histogram
	h.Merge(nil)
	h.Merge(&Histogram{})
	assert.Zero(t, h.Quantile(.5)+h.Mean()+h.Max()+h.Min())
	assert.Zero(t, h.Count())
}

// TestBucketsAreHdrHistograms: copying into HdrHistogram moves no count to
// another bucket.
func TestBucketsAreHdrHistograms(t *testing.T) {
	hdr := hdrhistogram.New(1, int64(MaxLatency), 3)
	for i := 2; i < bucket.Count; i++ {
		low, high := int64(bucket.High(i-1))+1, int64(bucket.High(i))
		require.True(t, hdr.ValuesAreEquivalent(low, high), "bucket %d", i)
		require.False(t, hdr.ValuesAreEquivalent(low-1, low), "bucket %d", i)
	}
}

// A histogram and the coarse ones of batches have every bucket, and each count goes to its
// own: their sums over any stretch of buckets agree.
func TestMergesHaveEveryBucket(t *testing.T) {
	var h, sum Histogram
	for i := range bucket.Count {
		h.add(i, int64(1+i%7))
	}
	var b batches
	b.size = 2
	for range 2 {
		sum.Merge(&h)
		b.addAll(&h)
	}
	assert.Equal(t, 2*h.total, sum.total)
	want := map[int]int64{}
	for i, n := range h.counts {
		assert.Equal(t, 2*n, sum.counts[i])
		want[i>>coarseBits] += 2 * n
	}
	assert.Equal(t, sum.total, b.list[0].Total())
	assert.Equal(t, want, maps.Collect(b.list[0].From(0)))
	sum.Record(0, 1)
	assert.EqualValues(t, 1, h.counts[0], "they share no counts")
}

func TestOverALatency(t *testing.T) {
	var h Histogram
	for _, d := range []time.Duration{9900, 10000, 10100, 20000} {
		h.Record(d*time.Microsecond, 1)
	}
	assert.EqualValues(t, 2, h.Over(10*time.Millisecond))
}
