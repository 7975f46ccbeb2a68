package value

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWholeNumbers(t *testing.T) {
	n, err := Positive("12")
	assert.NoError(t, err)
	assert.Equal(t, 12, n)
	for _, bad := range []string{"", "0", "-1", "1.5", "12x"} {
		_, err := Positive(bad)
		assert.EqualError(t, err, `"`+bad+`" must be a whole number more than 0`)
	}
}

func TestNamesOfFiles(t *testing.T) {
	assert.Equal(t, "sizes_of_a_day.txt", OfFile("/data/sizes of a day.txt"))
}
