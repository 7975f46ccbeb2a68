package material

import (
	"cmp"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Axis is what charts are drawn over. Its keys are no conditions of their panels.
type Axis struct {
	Title, Scale string                     // Scale as in chart.Chart
	Keys         []string                   // of a line's name that tell a point; the first names it
	X            func(l lines.Line) float64 // nil: in the order of the lines
	Absent       string                     // names the point of a line that lacks the key
	Own          []string                   // keys that are conditions elsewhere, and tell variants apart here
	Serializers  bool                       // the lines are of no framework
}

// None has all lines at one point.
func None() Axis { return Axis{X: func(lines.Line) float64 { return 0 }} }

// Callers has the numbers of callers that call at the same time.
func Callers() Axis {
	return Axis{Title: "callers", Scale: "log", Keys: []string{"conc"}, X: NumberOf("conc")}
}

// Rates has the rates at which calls are due.
func Rates() Axis {
	return Axis{Title: "offered calls/s", Scale: "linear", Keys: []string{"rate"}, X: OfferedRate}
}

// Sizes has the sizes of the payload.
func Sizes() Axis {
	return Axis{Title: "size", Scale: "log", Keys: []string{"size"}, X: func(l lines.Line) float64 { return number.Bytes(l.Get("size")) }}
}

// Networks has what lies between client and server.
func Networks() Axis {
	return Axis{Title: "network", Scale: "names", Keys: []string{"net"}, Absent: "none"}
}

// Windows has the sizes of receive windows: the most that a sender has under way.
func Windows() Axis {
	return Axis{Title: "receive window", Scale: "names", Keys: []string{"window"}, Absent: "default"}
}

// Chunks has the sizes of the messages that transfers by stream are cut into.
func Chunks() Axis {
	const absent = "64KiB"
	return Axis{
		Title: "size of a stream's messages", Scale: "log", Keys: []string{"chunk"}, Absent: absent,
		X: func(l lines.Line) float64 { return number.Bytes(cmp.Or(l.Get("chunk"), absent)) },
	}
}

// NumberOf reads the value of a key as a number; 0 if it is no number.
func NumberOf(key string) func(l lines.Line) float64 {
	return func(l lines.Line) float64 { return number.Positive(l.Get(key)) }
}

// OfferedRate is the rate in calls/s at which the calls of a line were due; 0 for a closed
// loop.
func OfferedRate(l lines.Line) float64 {
	return cmp.Or(l.Values["offered/s"], number.Positive(l.Get("rate")))
}

// Name tells the point of a line; "" where all lines are at one point.
func (a Axis) Name(l lines.Line) string {
	return cmp.Or(l.Get(slices.Concat(a.Keys, []string{""})[0]), a.Absent)
}
