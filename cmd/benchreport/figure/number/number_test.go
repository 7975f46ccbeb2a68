package number

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSizesInBytes(t *testing.T) {
	for text, want := range map[string]float64{
		"0B": 0, "3B": 3, "2KiB": 2048, "1.5MiB": 3 << 19, "2GiB": 2 << 30, "7": 7, "many": 0, "-1KiB": 0, "NaNMiB": 0, "1e99GiB": 1e99 * (1 << 30),
	} {
		assert.Equal(t, want, Bytes(text), text)
	}
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{0: "0", .1234: "0.123", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 1234.5: "1234", 7: "7", 99.99: "100.0"} {
		assert.Equal(t, want, Digits(v))
	}
}

func TestSpread(t *testing.T) {
	assert.Zero(t, Spread([]float64{0, 0, 7}))
	assert.Equal(t, .5, Spread([]float64{1, 2, 3}))
	assert.Equal(t, .75, Spread([]float64{1, 4, 5}))
}
