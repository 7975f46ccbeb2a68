package estimate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestReadPace(t *testing.T) {
	for _, c := range []struct {
		about                 string
		benchtime, count, cpu string
		want                  Pace
	}{
		{"what testing does by default", "1s", "1", "", Pace{Each: time.Second, Times: 1}},
		{"a number of calls", "500x", "1", "", Pace{Calls: 500, Times: 1}},
		{"repeats for each number of CPUs", "0.5s", "3", "1,2,4", Pace{Each: 500 * time.Millisecond, Times: 9}},
		{"no repeat at all", "1s", "0", "2", Pace{Each: time.Second}},
	} {
		assert.Equal(t, c.want, ReadPace(c.benchtime, c.count, c.cpu), c.about)
	}
}
