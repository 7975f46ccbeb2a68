package streams

import (
	"errors"
	"fmt"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

// Result is what a run over streams measured. The embedded Result counts messages
// as calls: OK are those answered, and Blocked is for how long flow control held
// each. Due is always Sent + Dropped, and Sent is OK + Failed.
type Result struct {
	*loadgen.Result

	Streams int // of the Load
	Ended   int // of them, streams that have ended by the end of the run

	// Full counts the Dropped messages that found Config.Window messages under way on
	// their stream.
	Full int64

	// What follows counts answers, of the warm-up as well.
	Duplicates int64 // answers to messages that had one
	Unknown    int64 // answers to messages that were never sent
	OutOfOrder int64 // answers that came after one to a later message of their stream
	Late       int64 // answers to messages that had failed, such as by Timeout or Drain
}

// Kinds of warnings that Result.Warnings can have beside those of loadgen.
var (
	// ErrEnded: streams have ended.
	ErrEnded = errors.New("streams ended")
	// ErrFull: messages were dropped because too many were under way.
	ErrFull = errors.New("windows were full")
	// ErrUnknown: answers matched no message.
	ErrUnknown = errors.New("answers matched no message")
	// ErrDuplicates: messages were answered twice.
	ErrDuplicates = errors.New("messages were answered twice")
	// ErrOutOfOrder: answers of streams that are not Unordered overtook others.
	ErrOutOfOrder = errors.New("answers overtook others")
	// ErrLate: answers came after their messages had failed.
	ErrLate = errors.New("answers came too late")
)

// result adds to what loadgen measured.
func (c *courier) result(res *loadgen.Result) *Result {
	r := c.run.Load()
	now := c.tally.now()
	all := &Result{
		Result: res, Streams: len(c.streams), Full: r.full.Load(),
		Duplicates: now.duplicates - r.before.duplicates, Unknown: now.unknown - r.before.unknown,
		OutOfOrder: now.outOfOrder - r.before.outOfOrder, Late: now.late - r.before.late,
	}
	res.MaxBacklog = max(res.MaxBacklog, c.deepest)
	n, why := c.ended()
	all.Ended = n
	all.warn(c.Config, why)
	return all
}

// warn appends the reasons not to trust the run.
func (r *Result) warn(cfg Config, why error) {
	add := func(when bool, kind error, format string, args ...any) {
		if when {
			r.Warnings = append(r.Warnings, fmt.Errorf("%w: "+format, append([]any{kind}, args...)...))
		}
	}
	add(r.Ended > 0, ErrEnded, "%d of %d, such as by: %v", r.Ended, r.Streams, foreign.Error(why)) // a peer's text of any length
	add(r.Full > 0, ErrFull, "%d messages were due while %d of their stream were under way: set a larger Window, or use more streams", r.Full, cfg.Window)
	add(r.Unknown > 0, ErrUnknown, "%d: Recv has to return the number that Send was called with for the message that is answered", r.Unknown)
	add(r.Duplicates > 0, ErrDuplicates, "%d times", r.Duplicates)
	add(r.OutOfOrder > 0 && !cfg.Unordered, ErrOutOfOrder, "%d times: set Unordered if the server may do that", r.OutOfOrder)
	add(r.Late > 0, ErrLate, "%d, after Timeout or the end of a run", r.Late)
}

// String returns the report of loadgen, with a line on the streams. fmt prints it of a Result
// and of a *Result.
func (r Result) String() string {
	return fmt.Sprintf("%v\n%d streams, %d ended; answers: %d duplicate, %d unknown, %d out of order, %d late",
		r.Result, r.Streams, r.Ended, r.Duplicates, r.Unknown, r.OutOfOrder, r.Late)
}
