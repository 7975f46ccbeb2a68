package tide

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Windows of a run are its intervals. Each is to have enough calls for a median, and a phase to
// have many of them.
const (
	windowCalls   = 50
	windowsOfStep = 100 // at most
	longestWindow = time.Second
)

// Window is the Config.Interval of a run: an interval of which none is part of two phases of
// steps. It has 50 calls or more at the lowest rate, if phases are long enough, and 10 ms to 1 s.
func (t *Tide) Window() time.Duration {
	common, lowest := t.pieces[0].For, float64(t.Mean())
	for _, p := range t.pieces {
		if t.steps {
			common, lowest = divisor(common, p.For), min(lowest, p.From)
		}
	}
	lowest *= float64(len(t.pieces) / len(t.Phases)) // windows after several bursts are taken together
	want := min(max(common/windowsOfStep, time.Duration(windowCalls/lowest*1e9), Grain), longestWindow)
	n := max(common/want, 1)
	for common%n != 0 && t.steps {
		n--
	}
	return common / n
}

// divisor is the greatest that two times have in common.
func divisor(a, b time.Duration) time.Duration {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Achieved returns how many calls were answered without an error in a second of each phase, by
// when they ended. Calls of a phase that ended after it do not count for it.
func (t *Tide) Achieved(series []loadgen.Point) []float64 {
	list := make([]float64, len(t.Phases))
	for _, p := range series {
		if at := t.at(p); at >= 0 {
			list[t.pieces[at].phase] += float64(p.OK)
		}
	}
	for i, phase := range t.Phases {
		list[i] /= phase.Length.Seconds()
	}
	return list
}

// at is the piece in which the middle of a window is; -1 after the last.
func (t *Tide) at(p loadgen.Point) int {
	middle := p.Start + p.Length/2
	i, _ := slices.BinarySearchFunc(t.pieces, middle, func(p piece, at time.Duration) int {
		if p.end() <= at {
			return -1
		}
		return 1
	})
	if i == len(t.pieces) {
		return -1
	}
	return i
}

// When calls have settled.
const (
	fewestWindows = 12   // of a phase in which that can be seen
	band          = 1.5  // how many times the later level, or less, windows are near it
	drift         = 1.45 // the most between the levels of two parts of the later half
	row           = 3    // windows near the level that come first
	share         = .75  // of all windows from then on that are near it
	smooth        = 2    // windows before and after one, whose median with them is taken for it
)

// Why there is no time to settle.
var (
	ErrNoStep = errors.New("no step comes before the phase")
	errMerged = errors.New("the intervals of several clients have no percentiles")
	errSlow   = errors.New("calls have not settled: their times still change in the second half of the phase")
	errShaken = errors.New("calls have not settled: their times vary too much in the phase")
	errFew    = fmt.Errorf("the phase has fewer than %d intervals with calls", fewestWindows)
)

// Settled returns how long after the step to a phase calls take as long as they do later in
// it, to within a Window; 0 if they do at once. They have settled with the first of three
// successive windows, and of at least three in four of all that follow, whose p50 is near the
// level: within a factor of 1.5 of the median of the second half of the phase. A window has too
// few calls for its p99, and a p90 tells a pause of the machine from a step less well. A window
// counts as the median of itself and of two on each side, which leaves a step where it is and
// takes away a pause of one or two windows. A call counts in the window in which it ended.
//
// A phase whose level changes by more than a factor of 1.45 between the first third of its second
// half and the last has not settled: a queue that grows all the time changes by 1.57. Of
// bursts each window is the median of the windows at the same time after each of them.
func (t *Tide) Settled(phase int, series []loadgen.Point) (time.Duration, error) {
	if !t.stepsTo(phase) {
		return 0, ErrNoStep
	}
	windows, err := t.windows(phase, series)
	if err != nil {
		return 0, err
	}
	return settled(windows)
}

// stepsTo reports whether a phase begins with a step, once at least.
func (t *Tide) stepsTo(phase int) bool {
	return t.steps && slices.ContainsFunc(t.pieces[1:], func(p piece) bool { return p.phase == phase })
}

// window is the p50 of calls that ended a time after a step.
type window struct {
	after time.Duration
	p50   time.Duration
}

// windows returns those of a phase after a step. Windows without calls say nothing.
func (t *Tide) windows(phase int, series []loadgen.Point) (list []window, err error) {
	at := map[time.Duration][]time.Duration{}
	for _, p := range series {
		i := t.at(p)
		if i < 0 || t.pieces[i].phase != phase || p.OK+p.Failed == 0 {
			continue
		}
		if p.P50 == 0 {
			return nil, errMerged
		}
		if i > 0 {
			after := max(p.Start-t.pieces[i].begin, 0)
			at[after] = append(at[after], p.P50)
		}
	}
	for after, all := range at {
		list = append(list, window{after, median(all)})
	}
	slices.SortFunc(list, func(a, b window) int { return int(a.after - b.after) })
	return list, nil
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// levelOf is the median p50 of windows.
func levelOf(list []window) float64 {
	var all []time.Duration
	for _, w := range list {
		all = append(all, w.p50)
	}
	return float64(median(all))
}

// smoothed has the median of each window and those beside it, at the ends of fewer.
func smoothed(list []window) (all []window) {
	for i, w := range list {
		beside := min(smooth, i, len(list)-1-i)
		all = append(all, window{w.after, time.Duration(levelOf(list[i-beside : i+beside+1]))})
	}
	return all
}

func settled(list []window) (time.Duration, error) {
	n := len(list)
	if n < fewestWindows {
		return 0, errFew
	}
	list = smoothed(list)
	third, last := levelOf(list[n/2:n/2+n/6]), levelOf(list[n-n/6:])
	if max(third, last) > drift*min(third, last) {
		return 0, errSlow
	}
	level, near := levelOf(list[n/2:]), make([]bool, n)
	for i, w := range list {
		p50 := float64(w.p50)
		near[i] = p50 <= band*level && p50 >= level/band
	}
	for i := range n - row {
		if !slices.Contains(near[i:i+row], false) && shareOf(near[i:]) >= share {
			return list[i].after, nil
		}
	}
	return 0, errShaken
}

// shareOf is the share of what is true.
func shareOf(list []bool) float64 {
	n := 0
	for _, is := range list {
		if is {
			n++
		}
	}
	return float64(n) / float64(len(list))
}
