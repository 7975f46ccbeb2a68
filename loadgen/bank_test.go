package loadgen

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestABankLosesNothing counts while the bank is drained.
func TestABankLosesNothing(t *testing.T) {
	var b bank
	var h Histogram
	var inUse blocks
	var wg sync.WaitGroup
	const writers, each = 4, 100_000
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				b.record(bucketOf(time.Duration(w * i)))
			}
		})
	}
	for range 100 {
		b.drain(&h, &inUse)
	}
	wg.Wait()
	b.drain(&h, &inUse)
	assert.EqualValues(t, writers*each, h.Count())
	var moved Histogram
	h.moveTo(&inUse, &moved)
	assert.Zero(t, h.Count())
	assert.EqualValues(t, writers*each, moved.Count())
	assert.Zero(t, h.Max(), "the blocks in use are all there are")
}

func BenchmarkRecord(b *testing.B) {
	var bank bank
	for i := range b.N {
		bank.record(bucketOf(time.Duration(100_000 + i&0xffff)))
	}
}
