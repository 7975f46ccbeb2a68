package ask

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheSequenceIsSplitMix64(t *testing.T) {
	assert.Equal(t, "afcd1d7b39a820e2", hex.EncodeToString(splitMix(8)), "its first number is e220a8397b1dcdaf")
	assert.Equal(t, splitMix(100)[:50], splitMix(50)[:50], "a longer one begins alike")
}

// TestForeignTextInErrors: what a server sends is shown in part, since each call may fail.
func TestForeignTextInErrors(t *testing.T) {
	_, err := DecodeSum(strings.Repeat("x\n", 1<<20), nil)
	assert.Error(t, err)
	assert.Less(t, len(err.Error()), 400)
}
