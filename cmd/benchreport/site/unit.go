package site

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// figures are the units that are drawn, in their order, with the words for them.
var figures = [][2]string{
	{history.CPU, "CPU of both sides"},
	{"client-cpu-ns/op", "CPU of the client"},
	{"server-cpu-ns/op", "CPU of the server"},
	{"p50-ns", "response, p50"},
	{"p99-ns", "response, p99"},
	{"calls/s", "calls/s"},
	{"allocs/op", "allocations of the client"},
	{"client-allocs/op", "allocations of the client"},
	{"server-allocs/op", "allocations of the server"},
	{"B/op", "bytes allocated by the client"},
	{"client-B/op", "bytes allocated by the client"},
	{"server-B/op", "bytes allocated by the server"},
	{"client-syscalls/op", "system calls of the client"},
	{"server-syscalls/op", "system calls of the server"},
	{"request-wire-B/op", "wire bytes of a request"},
	{"reply-wire-B/op", "wire bytes of a reply"},
	{"segs/op", "TCP segments"},
	{"binary-B", "binary size"},
	{"modules", "modules in the binary"},
	{"conns", "connections"},
	{"first-reply-ns", "start to first reply"},
}

// rank is the place of a unit; others come last.
func rank(unit string) int {
	i := slices.IndexFunc(figures, func(f [2]string) bool { return f[0] == unit })
	if i < 0 {
		return len(figures)
	}
	return i
}

// what is a unit in words; a unit without words is its own name.
func what(unit string) string {
	if i := rank(unit); i < len(figures) {
		return figures[i][1]
	}
	return unit
}

// sense is 1 if more of a unit is worse, −1 if it is better, and 0 if it is neither.
func sense(unit string) int {
	switch unit {
	case "calls/s":
		return -1
	case "conns", "modules":
		return 0
	}
	return 1
}

// scale is what figures are divided by to be shown, and the name of the unit then.
type scale struct {
	size float64
	name string
}

// scaleOf is the scale of a unit whose figures are about as large as v.
func scaleOf(unit string, v float64) scale {
	switch {
	case strings.Contains(unit, "cpu-ns"):
		return scale{1e3, "µs"}
	case strings.HasSuffix(unit, "-ns") || strings.HasSuffix(unit, "ns/op"):
		return largest(v, scale{1e9, "s"}, scale{1e6, "ms"}, scale{1e3, "µs"}, scale{1, "ns"})
	case strings.HasSuffix(unit, "-B") || strings.HasSuffix(unit, "B/op"):
		return largest(v, scale{1 << 20, "MiB"}, scale{1 << 14, "KiB"}, scale{1, "B"}).kibi()
	}
	return scale{1, ""}
}

func largest(v float64, list ...scale) scale {
	for _, s := range list {
		if v >= s.size {
			return s
		}
	}
	return list[len(list)-1]
}

// kibi shows KiB only from 16 on, for those of a message are compared byte by byte.
func (s scale) kibi() scale {
	if s.name == "KiB" {
		s.size = 1 << 10
	}
	return s
}

// shown is a figure with its unit.
func shown(unit string, v float64) string {
	s := scaleOf(unit, v)
	return strings.TrimSpace(digits(v/s.size) + " " + s.name)
}

// heading is a unit in words with the scale of its figures, as in "response, p50, ms".
func heading(unit string, s scale) string {
	if s.name == "" {
		return what(unit)
	}
	return what(unit) + ", " + s.name
}

// cell is a figure without its unit; – for NaN.
func (s scale) cell(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return digits(v / s.size)
}

// digits has four of them, and commas from 1,000 on.
func digits(v float64) string {
	a := math.Abs(v)
	switch {
	case a >= 1000:
		return commas(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 100:
		return trimmed(strconv.FormatFloat(v, 'f', 1, 64))
	case a >= 10:
		return trimmed(strconv.FormatFloat(v, 'f', 2, 64))
	}
	return trimmed(strconv.FormatFloat(v, 'f', 3, 64))
}

func trimmed(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return minus(s)
}

func commas(s string) string {
	first := strings.IndexFunc(s, func(r rune) bool { return r != '-' })
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return minus(s)
}

func minus(s string) string { return strings.Replace(s, "-", "−", 1) }

// signed has a sign, unless it is zero.
func signed(s string) string {
	if strings.HasPrefix(s, "−") || s == "0" {
		return s
	}
	return "+" + s
}

// percent is a fraction with a sign and without the %, to a tenth, or to a hundredth if it
// is small.
func percent(fraction float64) string {
	places := 1
	if a := math.Abs(100 * fraction); a >= 100 {
		places = 0
	} else if a < 1 {
		places = 2
	}
	return signed(trimmed(strconv.FormatFloat(100*fraction, 'f', places, 64)))
}
