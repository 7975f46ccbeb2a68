package turns

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOrder(t *testing.T) {
	assert.Equal(t, []int{0}, Order(1, 1), "one")
	assert.Equal(t, []int{0, 1, 2, 3, 4}, Order(0, 5), "the first turn")
	for n := 2; n <= 15; n++ {
		places, pairs := map[[2]int]int{}, map[[2]int]int{}
		for turn := range 2 * n {
			list := Order(turn, n)
			for place, binary := range list {
				places[[2]int{place, binary}]++
				if place > 0 {
					pairs[[2]int{list[place-1], binary}]++
				}
			}
		}
		for i := range n {
			for j := range n {
				assert.Equal(t, 2, places[[2]int{i, j}], "of %d how often %d is at place %d", n, j, i)
				if i != j {
					assert.Equal(t, 2, pairs[[2]int{i, j}], "of %d how often %d follows %d", n, j, i)
				}
			}
		}
	}
}

// In fewer turns than there are binaries none follows another in more than two.
func TestNeighboursChangeInFewTurns(t *testing.T) {
	for n := 4; n <= 15; n++ {
		pairs := map[[2]int]int{}
		for turn := range min(6, n) {
			list := Order(turn, n)
			for i := range n - 1 {
				pairs[[2]int{list[i], list[i+1]}]++
			}
		}
		for pair, times := range pairs {
			if times > 2 {
				t.Errorf("of %d, %d follows %d in %d turns", n, pair[1], pair[0], times)
			}
		}
	}
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		about string
		d     time.Duration
		want  string
	}{
		{"nothing", 0, "0:00"},
		{"rounded to seconds", 1500 * time.Millisecond, "0:02"},
		{"up to the next minute", 59600 * time.Millisecond, "1:00"},
		{"minutes, however many", 75*time.Minute + 5*time.Second, "75:05"},
	} {
		assert.Equal(t, c.want, Clock(c.d), c.about)
	}
}
