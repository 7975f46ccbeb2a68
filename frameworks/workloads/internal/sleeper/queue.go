package sleeper

import (
	"container/heap"
	"time"
)

// sleep is one that a goroutine waits for.
type sleep struct {
	due   time.Duration // since the Sleeper's start
	over  bool          // awake has it
	awake chan error    // of one place, for the end
}

// queue has the sleeps under way, as a heap: the first one is due first.
type queue []*sleep

var _ heap.Interface = (*queue)(nil)

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].due < q[j].due }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(one any)      { *q = append(*q, one.(*sleep)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	one := (*q)[last]
	(*q)[last], *q = nil, (*q)[:last]
	return one
}

// end ends the sleeps that are due at now, with this error.
func (q *queue) end(now time.Duration, err error) {
	for len(*q) > 0 && (*q)[0].due <= now {
		one := heap.Pop(q).(*sleep)
		one.over = true
		one.awake <- err
	}
}
