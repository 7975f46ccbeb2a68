package count

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCallsCountFromTheFirstRead: servers of other benchmarks do not pay for the count.
func TestCallsCountFromTheFirstRead(t *testing.T) {
	Call()
	before := Calls()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				Call()
			}
		})
	}
	all.Wait()
	assert.Zero(t, before, "nobody had asked")
	assert.EqualValues(t, 800, Calls())
}

func TestSpansCountFromTheFirstRead(t *testing.T) {
	Span(true)
	Span(false)
	all, withParent := Spans()
	assert.Zero(t, all, "nobody had asked")
	assert.Zero(t, withParent, "nobody had asked")
	Span(true)
	Span(true)
	Span(false)
	all, withParent = Spans()
	assert.EqualValues(t, 3, all, "roots count among all")
	assert.EqualValues(t, 2, withParent, "and have no parent")
}

func BenchmarkCall(b *testing.B) {
	Calls()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			Call()
		}
	})
}
