package material

import "github.com/rpcbench/rpcbench/cmd/internal/lines"

// Metric is what a figure shows of each line.
type Metric struct {
	ID, Title, Unit string                             // of the figure
	Value           string                             // the unit in a line
	Low, High       string                             // units of the ends of its interval; "" for the range of the rounds
	At              string                             // the point of the axis whose lines may have it; "" for all
	Compute         func(l lines.Line) (float64, bool) // instead of a unit; false if a line has no such value
}

func (f Metric) of(l lines.Line) (value float64, ok bool) {
	if f.Compute != nil {
		return f.Compute(l)
	}
	value, ok = l.Values[f.Value]
	return value, ok
}

// Repeats are a metric's values in the lines of one row, which are one for each round.
type Repeats struct {
	Name            string // of its point of the axis
	Lines           []lines.Line
	Xs              []float64 // on an axis of numbers
	Values          []float64
	Lowest, Highest []float64 // the ends of each value's interval, or the value
}

func (r *Repeats) add(a Axis, f Metric, l lines.Line, value float64) {
	if a.X != nil {
		r.Xs = append(r.Xs, a.X(l))
	}
	end := func(unit string) float64 {
		if v, ok := l.Values[unit]; ok && unit != "" {
			return v
		}
		return value
	}
	r.Lines = append(r.Lines, l)
	r.Values = append(r.Values, value)
	r.Lowest, r.Highest = append(r.Lowest, end(f.Low)), append(r.Highest, end(f.High))
}
