package link

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestQueueGrows: packets keep their order and their bytes, also where the ring is full while
// its first packet is in its middle.
func TestQueueGrows(t *testing.T) {
	t.Parallel()
	q := newQueue(4)
	_, ok := q.first()
	assert.False(t, ok)
	next, first := 0, 0
	push := func(n int) {
		for range n {
			q.push(time.Duration(next), []byte{byte(next), byte(next >> 8)}[:1+next%2])
			next++
		}
	}
	pop := func(n int) {
		for range n {
			due, ok := q.first()
			assert.True(t, ok)
			assert.EqualValues(t, first, due)
			assert.Equal(t, append([]byte("h"), []byte{byte(first), byte(first >> 8)}[:1+first%2]...), q.pop([]byte("h")))
			first++
		}
	}
	push(700)
	pop(500)
	push(2000)
	pop(2200)
	assert.Equal(t, next, first)
}
