package framework

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHandledCountsFromItsFirstCall: servers of other benchmarks do not pay for the count.
func TestHandledCountsFromItsFirstCall(t *testing.T) {
	_, _ = HandleEcho(ActionEcho, nil)
	before := Handled()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				_, _ = HandleEcho(ActionEcho, nil)
				_, _ = HandleEcho(ActionFail, nil)
				CountHandled()
			}
		})
	}
	all.Wait()
	assert.Zero(t, before, "nobody had asked")
	assert.EqualValues(t, 2400, Handled(), "those that fail are handled too")
}

func BenchmarkCountHandled(b *testing.B) {
	Handled()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			CountHandled()
		}
	})
}
