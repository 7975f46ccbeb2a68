package figure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 7: "7ns", 1234: "1.23µs", 99_950: "100µs", 12_345_678: "12.3ms", 61 * time.Second: "1m1s", 754_321 * time.Millisecond: "12m34s",
	} {
		assert.Equal(t, want, Short(d).String())
	}
}

func TestRate(t *testing.T) {
	for _, c := range []struct {
		n    int64
		d    time.Duration
		want string
	}{
		{0, time.Second, "0"}, {7, 0, "0"}, {1, 3 * time.Second, "0.3333"}, {999, time.Second, "999"}, {12_345_678, 10 * time.Second, "1234568"},
	} {
		assert.Equal(t, c.want, Rate(c.n, c.d), "%d in %v", c.n, c.d)
	}
}
