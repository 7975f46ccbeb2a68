package figure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// axis is what charts of a section are drawn over.
type axis struct {
	title, scale string
	keys         []string                   // of a line's name that tell a point; the first names it
	x            func(l lines.Line) float64 // nil: in the order of the lines
	absent       string                     // names a point whose line lacks the key
}

var (
	none      = axis{x: func(lines.Line) float64 { return 0 }}
	callers   = axis{"callers", "log", []string{"conc"}, func(l lines.Line) float64 { return float(l.Get("conc")) }, ""}
	rates     = axis{"offered calls/s", "linear", []string{"rate"}, offeredBy, ""}
	loads     = axis{"% of the capacity", "linear", []string{"load"}, func(l lines.Line) float64 { return float(strings.TrimSuffix(l.Get("load"), "%")) }, ""}
	sizes     = axis{"size", "log", []string{"size"}, func(l lines.Line) float64 { return bytesOf(l.Get("size")) }, ""}
	parallels = axis{"transfers at once", "log", []string{"parallel"}, func(l lines.Line) float64 { return float(l.Get("parallel")) }, ""}
	networks  = axis{"network", "names", []string{"net"}, nil, "none"}
	windows   = axis{"receive window", "names", []string{"window"}, nil, "default"}
	loops     = axis{"loop", "names", []string{"loop"}, nil, ""}
	workings  = axis{"workload", "names", []string{"workload"}, nil, ""}
	ops       = axis{x: none.x, keys: []string{"op"}}
)

// name tells the point of a line; "" where all lines are at one point.
func (a axis) name(l lines.Line) string {
	return cmp.Or(l.Get(slices.Concat(a.keys, []string{""})[0]), a.absent)
}

// float reads a number; 0 for what is none, or less.
func float(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0 && x < most) {
		return 0
	}
	return x
}

// most is more than any key says. Of larger numbers the product might be none.
const most = 1e100

// bytesOf reads a size as in "4MiB"; 0 for what is none.
func bytesOf(size string) float64 {
	for i, unit := range []string{"GiB", "MiB", "KiB", "B"} {
		if value, ok := strings.CutSuffix(size, unit); ok {
			return float(value) * float64(int(1)<<(10*(3-i)))
		}
	}
	return float(size)
}
