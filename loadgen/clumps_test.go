package loadgen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// clumped returns 60 batches of 1000 calls of 1 ms. In each 60 are of 2 ms, and in some of
// them more are slow, of 10 ms.
func clumped(slow func(batch int) int64) (b batches, all *Histogram) {
	all = new(Histogram)
	for i := range 60 {
		var h Histogram
		h.Record(10*time.Millisecond, slow(i))
		h.Record(2*time.Millisecond, 60)
		h.Record(time.Millisecond, 940-slow(i))
		b.addAll(&h)
		all.Merge(&h)
	}
	return b, all
}

// An interval needs slow calls in enough places of the run that none of them decides, and
// enough of them.
func TestIntervalsNeedSeveralClumps(t *testing.T) {
	at := func(places map[int]int64) func(int) int64 { return func(i int) int64 { return places[i] } }
	one := func(int) int64 { return 1 }
	const p9998 = 1 - 12.3/60e3
	for _, c := range []struct {
		about    string
		slow     func(batch int) int64
		quantile float64
		want     error
	}{
		{"slow calls everywhere", func(int) int64 { return 12 }, .99, nil},
		{"twelve of 60 beyond the percentile", one, p9998, nil},
		{"eleven of them", one, 1 - 11.7/60e3, errFew},
		{"two clumps are two phases", at(map[int]int64{20: 305, 40: 305}), .99, errFew},
		{"a third that hardly counts is none", at(map[int]int64{10: 305, 30: 305, 50: 25}), .99, errFew},
		{"of three clumps one is small: 2.7 make the variance", at(map[int]int64{10: 280, 30: 280, 50: 140}), .99, ErrFluctuates},
		{"or 2.9", at(map[int]int64{10: 230, 30: 230, 50: 150}), .99, ErrFluctuates},
		{"three of them do", at(map[int]int64{10: 230, 30: 230, 50: 170}), .99, nil},
		{"so large that they are twelve events", at(map[int]int64{10: 300, 30: 300, 50: 300}), .99, nil},
		{"and eleven", at(map[int]int64{10: 310, 30: 310, 50: 310}), .99, errFew},
	} {
		b, all := clumped(c.slow)
		_, err := b.interval(all, c.quantile)
		assert.Equal(t, c.want, err, c.about)
	}
}
