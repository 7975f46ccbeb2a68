package suite

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWriter(t *testing.T) {
	w := Writer("a")
	n, err := w.Write([]byte("bc"))
	assert.Equal(t, 2, n)
	assert.NoError(t, err)
	assert.NoError(t, w.WriteByte('d'))
	n, err = w.WriteString("efg")
	assert.Equal(t, 3, n)
	assert.NoError(t, err)
	assert.Equal(t, "abcdefg", string(w))
}
