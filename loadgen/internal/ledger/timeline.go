package ledger

import "time"

// Timeline cuts a run into intervals of equal length, and each of them into equal
// steps, none longer than LongestStep.
type Timeline struct {
	Warm        time.Duration // how long the warm-up takes
	interval    time.Duration
	PerInterval int           // steps
	StepLength  time.Duration // of all steps but the last of an interval, which may be longer
}

// LongestStep is how often the counts are gathered at least. It gives a run of two
// seconds the batches that loadgen's Confidence needs.
const LongestStep = 100 * time.Millisecond

// NewTimeline returns the Timeline of a run.
func NewTimeline(warmup, interval time.Duration) Timeline {
	n := (interval + LongestStep - 1) / LongestStep
	return Timeline{warmup, interval, int(n), interval / n}
}

// StepOf returns the step that a time is in; the warm-up is part of the first.
func (l *Timeline) StepOf(t time.Duration) int {
	t = max(t-l.Warm, 0)
	return int(t/l.interval)*l.PerInterval + min(int(t%l.interval/l.StepLength), l.PerInterval-1)
}

// StepEnd returns when a step ends.
func (l *Timeline) StepEnd(step int) time.Duration {
	next := step + 1
	return l.Warm + time.Duration(next/l.PerInterval)*l.interval + time.Duration(next%l.PerInterval)*l.StepLength
}
