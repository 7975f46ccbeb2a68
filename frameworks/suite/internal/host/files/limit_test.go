package files

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheLimitOfFilesIsNeverLowered(t *testing.T) {
	before := Limit()
	assert.Equal(t, before, RaiseLimit(1))
	assert.Equal(t, before, Limit())
}
