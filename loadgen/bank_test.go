package loadgen

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorder is a bank of either kind.
type recorder interface {
	counter
	Record(bucket int)
}

func eachBank(t *testing.T, test func(t *testing.T, b recorder)) {
	t.Run("of a worker", func(t *testing.T) { test(t, new(bank.Bank)) })
	t.Run("of a part", func(t *testing.T) { test(t, new(bank.Lean)) })
}

// TestABankLosesNothing counts while the bank is drained.
func TestABankLosesNothing(t *testing.T) { eachBank(t, losesNothing) }

func losesNothing(t *testing.T, b recorder) {
	var h Histogram
	var inUse bucket.Blocks
	var wg sync.WaitGroup
	const writers, each = 4, 100_000
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				b.Record(bucket.Of(time.Duration(w * i)))
			}
		})
	}
	for range 100 {
		h.drain(b, &inUse)
	}
	wg.Wait()
	h.drain(b, &inUse)
	assert.EqualValues(t, writers*each, h.Count())
	var moved Histogram
	h.moveTo(&inUse, &moved)
	assert.Zero(t, h.Count())
	assert.EqualValues(t, writers*each, moved.Count())
	assert.Zero(t, h.Max(), "the blocks in use are all there are")
}

// TestABankLosesNoLastCount though one bucket is drained all the time: a count is found
// then or by the next drain, even if no other follows.
func TestABankLosesNoLastCount(t *testing.T) { eachBank(t, losesNoLastCount) }

func losesNoLastCount(t *testing.T, b recorder) {
	var h Histogram
	var inUse bucket.Blocks
	for round := range int64(1000) {
		each, before := 1+round%2*1000, h.Count()
		var made atomic.Bool
		go func() {
			for range each {
				b.Record(5)
			}
			made.Store(true)
		}()
		for !made.Load() {
			h.drain(b, &inUse)
		}
		h.drain(b, &inUse)
		require.Equal(t, each, h.Count()-before, "round %d", round)
	}
}

func BenchmarkRecord(b *testing.B) {
	var bank bank.Bank
	for i := range b.N {
		bank.Record(bucket.Of(time.Duration(100_000 + i&0xffff)))
	}
}
