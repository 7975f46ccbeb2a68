package site

import (
	"fmt"
	"math"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// found is a step, in words.
type found struct {
	Version  string // short
	What     string
	Case     string
	By       string // as in "+12.3 %"
	Interval string // as in "+11 to +13 %"
	From, To string
	Sign     string // ▲ for more, ▼ for less
	Verdict  string // worse, better or changed
	Sure     string
	Raw      string // where its raw lines are
	More     int    // other cases with a step of the same figure, in an overview

	size       float64 // of the change
	unit, full string  // of the step
}

func (s *study) found(step history.Step) found {
	f := found{
		size: max(step.Change.Value, -step.Change.Value), unit: step.Unit, full: step.Name.Full,
		Version: short(step.Version()), What: what(step.Unit), Case: fullCase(step.Name),
		By: by(step.Unit, step.Change.Value, step.Scale), Interval: between(step),
		From: shown(step.Unit, step.From), To: shown(step.Unit, step.To),
		Sign: "▲", Sure: sure(step), Raw: s.raw(step.Name.Full, step.Version()),
	}
	if step.Change.Value < 0 {
		f.Sign = "▼"
	}
	f.Verdict = verdict(step)
	return f
}

// verdict says which way a step goes.
func verdict(step history.Step) string {
	switch towards := float64(sense(step.Unit)) * step.Change.Value; {
	case towards > 0:
		return "worse"
	case towards < 0:
		return "better"
	}
	return "changed"
}

func by(unit string, change float64, s pairs.Scale) string {
	if s == pairs.Relative {
		return percent(change) + "\u00a0%"
	}
	return signed(shown(unit, change))
}

// between is the interval of a step. One of counts goes from the least to the most by
// which rounds differ.
func between(step history.Step) string {
	c := step.Change
	if math.IsInf(c.Low, 0) || math.IsInf(c.High, 0) {
		return "no interval: too few rounds"
	}
	low, high := percent(c.Low), percent(c.High)
	if step.Scale != pairs.Relative {
		low, high = by(step.Unit, c.Low, step.Scale), by(step.Unit, c.High, step.Scale)
	}
	unit := " %"
	if step.Scale != pairs.Relative {
		unit = ""
	}
	if low == high {
		return nearly(step) + "every round"
	}
	return low + " to " + high + unit
}

// nearly is for counts of which package history leaves out a tenth at each end.
func nearly(step history.Step) string {
	if len(step.Values)*len(step.Versions) >= 10 {
		return "in nearly "
	}
	return "in "
}

// sure says how far a step can be believed.
func sure(step history.Step) string {
	rounds := amount(len(step.Values), "round")
	if history.KindOf(step.Unit) == history.Timed {
		return fmt.Sprintf("a false alarm in %s %% of records; %s", digits(100*step.Chance), rounds)
	}
	return "counted, no overlap; " + rounds
}

// pair compares a version with the one before, by rounds.
func pair(s history.Series, before, at int) pairs.Change {
	var b, a []float64
	for _, row := range s.Values {
		b, a = append(b, row[before]), append(a, row[at])
	}
	if min(least(b), least(a)) <= 0 {
		return pairs.Change{Low: math.Inf(-1), High: math.Inf(1), Value: math.NaN()}
	}
	return pairs.CompareAt(pairs.Usual, b, a, pairs.Relative)
}

func least(values []float64) float64 {
	low := math.Inf(1)
	for _, v := range values {
		low = min(low, v)
	}
	return low
}

// compared is a change against the version before, in words.
func compared(c pairs.Change) string {
	switch {
	case math.IsNaN(c.Value):
		return "–"
	case math.IsInf(c.Low, 0):
		return percent(c.Value) + " % (no interval)"
	case percent(c.Low) == percent(c.High):
		return percent(c.Value) + " %"
	}
	return fmt.Sprintf("%s %% (%s to %s)", percent(c.Value), percent(c.Low), percent(c.High))
}
