package figures

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSpreadOf(t *testing.T) {
	for _, row := range []struct {
		sentence string
		rounds   []float64
		want     spread
		text     string
	}{
		{"no round says nothing", nil, spread{}, ""},
		{"two rounds have a median and no interval", []float64{10, 20}, spread{15, math.Inf(-1), math.Inf(1)}, "15 ± ∞"},
		{"nor have five", []float64{1, 2, 3, 4, 5}, spread{3, math.Inf(-1), math.Inf(1)}, "3 ± ∞"},
		{"of six it is the smallest and the largest, in any order", []float64{6, 1, 5, 2, 4, 3}, spread{3.5, 1, 6}, "4 ± 71 %"},
		{"of ten it leaves out one at each end", []float64{100, 98, 99, 101, 102, 100, 100, 100, 0, 900}, spread{100, 98, 102}, "100 ± 2 %"},
		{"the farther end counts", []float64{100, 100, 100, 100, 100, 150}, spread{100, 100, 150}, "100 ± 50 %"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			got := spreadOf(row.rounds)
			assert.Equal(t, row.want, got)
			if row.text != "" {
				assert.Equal(t, row.text, got.String())
			}
		})
	}
}

// The confidence of the interval is at least 95 %, and that of the next smaller one
// is not.
func TestOutside(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, 5: 0, 6: 1, 8: 1, 9: 2, 10: 2, 11: 2, 12: 3, 20: 6} {
		assert.Equal(t, want, outside(n), "%d rounds", n)
	}
}

func TestPlaces(t *testing.T) {
	at := func(low, high float64) spread { return spread{(low + high) / 2, low, high} }
	everything := spread{5, math.Inf(-1), math.Inf(1)}
	for _, row := range []struct {
		sentence string
		list     []spread
		want     []string
	}{
		{"intervals that do not meet have a place each", []spread{at(1, 2), at(3, 4), at(5, 6)}, []string{"1", "2", "3"}},
		{"the order of the list does not matter", []spread{at(5, 6), at(1, 2), at(3, 4)}, []string{"3", "1", "2"}},
		{"two that meet share theirs", []spread{at(1, 3), at(2, 4), at(5, 6)}, []string{"1–2", "1–2", "3"}},
		{"intervals that touch meet", []spread{at(1, 2), at(2, 3)}, []string{"1–2", "1–2"}},
		{
			"of a chain the ends are told apart, and the middle from neither",
			[]spread{at(1, 3), at(2, 5), at(4, 6)},
			[]string{"1–2", "1–3", "2–3"},
		},
		{"without intervals nothing is said", []spread{everything, at(1, 2), everything}, []string{"1–3", "1–3", "1–3"}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			var got []string
			for _, p := range places(row.list) {
				got = append(got, p.String())
			}
			assert.Equal(t, row.want, got)
		})
	}
}
