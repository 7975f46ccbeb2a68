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
