package outcome

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestWhenAServerWasLeft: the calls are due every 10 ms for a second, from when a server is
// down; those named suffer.
func TestWhenAServerWasLeft(t *testing.T) {
	const late = 100 * time.Millisecond
	began := time.Now()
	for _, c := range []struct {
		about          string
		failed, lagged []int // calls, by when they are due in ms
		after          time.Duration
		known          bool
	}{
		{"no call suffers", nil, nil, 0, true},
		{"the last that suffers failed", []int{0, 30}, []int{10}, 30 * time.Millisecond, true},
		{"the last that suffers is late", []int{0}, []int{40}, 40 * time.Millisecond, true},
		{"a call suffers in the last tenth", []int{0, 950}, nil, 950 * time.Millisecond, false},
		{"calls that ended before or were due after do not count", []int{-10, 1000}, []int{1010}, 0, true},
	} {
		var list []Outcome
		for ms := -20; ms < 1020; ms += 10 {
			o := Outcome{Due: began.Add(time.Duration(ms) * time.Millisecond), Took: time.Millisecond}
			for _, f := range c.failed {
				o.Failed = o.Failed || f == ms
			}
			for _, l := range c.lagged {
				if l == ms {
					o.Took = late + 1
				}
			}
			list = append(list, o)
		}
		until := began.Add(time.Second)
		s := Suffer(list, began, until, 2*late)
		after, known := s.Left()
		assert.Equal(t, 100, s.All, c.about)
		assert.Equal(t, c.after, after, c.about)
		assert.Equal(t, c.known, known, c.about)
	}
}
