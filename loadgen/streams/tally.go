package streams

import "sync/atomic"

// tally counts answers that end no message.
type tally struct{ duplicates, unknown, outOfOrder, late atomic.Int64 }

// unmatched is a tally at one time.
type unmatched struct{ duplicates, unknown, outOfOrder, late int64 }

func (t *tally) now() unmatched {
	return unmatched{t.duplicates.Load(), t.unknown.Load(), t.outOfOrder.Load(), t.late.Load()}
}
