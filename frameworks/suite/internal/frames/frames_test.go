package frames

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

// nested calls do inside of n frames of itself.
func nested(n int, do func() error) error {
	if n == 1 {
		return do()
	}
	return nested(n-1, do)
}

func TestHandle(t *testing.T) {
	assert.EqualError(t, nested(7, Handle), "frames of functions: [1 7]")
	assert.EqualError(t, Handle(), "frames of functions: [1]")
}

func TestOf(t *testing.T) {
	failed := errors.New("failed")
	seen, err := Of(func() error { return nested(7, func() error { _ = Handle(); return failed }) })
	assert.Equal(t, failed, err)
	assert.Contains(t, seen, 7, "as long as the handler holds the call")
}
