package message

import (
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNumbersTakeAsManyBytes as what Fill writes.
func TestNumbersTakeAsManyBytes(t *testing.T) {
	for name, size := range map[string]func(int64) int{
		"a varint":         func(n int64) int { return len(binary.AppendUvarint(nil, uint64(n))) },
		"a zigzag varint":  func(n int64) int { return len(binary.AppendVarint(nil, n)) },
		"digits":           func(n int64) int { b, _ := json.Marshal(n); return len(b) },
		"the fewest bytes": func(n int64) int { return 4 - b2i(n < 1<<24) - b2i(n < 1<<16) - b2i(n < 1<<8) },
		"hessian's":        func(n int64) int { return 3 + 2*b2i(n > 262143) },
	} {
		for _, call := range []int{1, numbers - 1, numbers, numbers + 1} {
			assert.Equal(t, size(fillInt), size(Number(0, call)), "%s of call %d", name, call)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestNumbersDiffer(t *testing.T) {
	seen := map[int64]bool{}
	for worker := range 1000 {
		seen[Number(worker, 1)] = true
	}
	assert.Len(t, seen, 1000, "of workers in step")
	for call := range 100 {
		assert.NotEqual(t, Number(0, call), Number(0, call+1))
	}
	assert.Equal(t, Number(5, 3), Number(5, 3+numbers))
}

// TestAMessageOfACallGivenUpStays, because it may still be under way.
func TestAMessageOfACallGivenUpStays(t *testing.T) {
	m := NewRequests[Bench](1)
	given := m.Of(0)
	assert.Equal(t, Number(0, 1), *given.Field22)
	next := m.Of(0)
	assert.Equal(t, Number(0, 1), *given.Field22)
	assert.Equal(t, Number(0, 2), *next.Field22)
	m.Done(0)
	assert.Same(t, next, m.Of(0), "one that was answered is used again")
	assert.Equal(t, Number(0, 3), *next.Field22)
}
