package site

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// chart is a figure over versions, or over dates.
type chart struct {
	Title  string // as in "CPU of both sides, Echo, 1KiB, 100 callers"
	Unit   string // of the figures, as in "µs"
	points []point
	marks  []mark
	size   float64 // what figures are divided by
	bare   bool    // without the rounds, links and texts of steps
}

// point is one version: its rounds, and where its raw lines are.
type point struct {
	name   string // below it; "" shows none
	about  string // in full
	link   string
	rounds []float64
	joined bool // with the point before
}

// mark is a step before a point.
type mark struct {
	at         int
	name, text string // as in "v1.84.0", "▲ +12 %"
}

// The picture, in its own pixels.
const (
	width, height = 460.0, 240.0
	left, right   = 60.0, 14.0
)

// axis is the range of figures that is drawn, and where.
type axis struct{ low, high, step, top, bottom float64 }

// axis has room for the names of steps above it, and for those of points below.
func (c chart) axis() axis {
	a := axisOf(c.points)
	a.top, a.bottom = 12, height-26
	if len(c.marks) > 0 {
		a.top = 40
	}
	if c.turned() {
		a.bottom = height - 56
	}
	return a
}

// turned reports whether the names of points are turned, since they are many.
func (c chart) turned() bool {
	longest := 0
	for _, p := range c.points {
		longest = max(longest, len([]rune(p.name)))
	}
	return float64(longest)*6.5 > c.room()
}

// axisOf has all medians and their intervals. Rounds widen it to three times that at most,
// so that a disturbed one does not make a line of the others. It spans a tenth of the figure
// at least: else noise would look large.
func axisOf(points []point) axis {
	var rounds, must []float64
	for _, p := range points {
		rounds, must = append(rounds, p.rounds...), append(must, pairs.Median(p.rounds))
		if low, high, ok := interval(p.rounds); ok {
			must = append(must, low, high)
		}
	}
	low, high := slices.Min(must), slices.Max(must)
	span := max(high-low, (low+high)/40)
	low, high = max(min(slices.Min(rounds), low), low-span), min(max(slices.Max(rounds), high), high+span)
	middle := (low + high) / 2
	half := max((high-low)/2*1.08, 0.05*middle)
	if half == 0 {
		half = 1
	}
	return rounded(max(0, middle-half), middle+half)
}

// rounded widens a range to where its lines are.
func rounded(low, high float64) axis {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/3)))
	for _, n := range []float64{1, 2, 2.5, 5, 10} {
		if (high-low)/(step*n) <= 4.5 {
			step *= n
			break
		}
	}
	return axis{low: math.Floor(low/step+1e-9) * step, high: math.Ceil(high/step-1e-9) * step, step: step}
}

func (a axis) y(v float64) float64 {
	return a.top + (a.high-min(max(v, a.low), a.high))/(a.high-a.low)*(a.bottom-a.top)
}

func (c chart) x(i int) float64 {
	return left + (float64(i)+0.5)/float64(len(c.points))*(width-left-right)
}

// Beyond is the number of rounds that lie outside of the picture.
func (c chart) Beyond() (n int) {
	if c.bare {
		return 0
	}
	a := axisOf(c.points)
	for _, p := range c.points {
		for _, v := range p.rounds {
			if v < a.low || v > a.high {
				n++
			}
		}
	}
	return n
}

// SVG is the picture, and above it the links, since nothing in a picture can be one.
func (c chart) SVG() template.HTML {
	a := c.axis()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img"><title>%s</title><desc>%s</desc>`, width, height, html.EscapeString(c.Title), html.EscapeString(c.desc()))
	c.grid(&b, a)
	if !c.bare {
		c.dots(&b, a)
	}
	c.steps(&b, a)
	c.line(&b, a)
	c.names(&b, a)
	b.WriteString(`</svg>`)
	if !c.bare {
		c.links(&b, a)
	}
	return template.HTML(b.String())
}

// desc says in words what the picture shows.
func (c chart) desc() string {
	var list []string
	for _, p := range c.points {
		list = append(list, p.about+": "+c.value(pairs.Median(p.rounds)))
	}
	text := "Medians: " + strings.Join(list, "; ") + "."
	for _, m := range c.marks {
		text += " Step at " + m.name + ": " + m.text + "."
	}
	return text
}

func (c chart) value(v float64) string { return strings.TrimSpace(digits(v/c.size) + " " + c.Unit) }

func (c chart) grid(b *strings.Builder, a axis) {
	b.WriteString(`<g class="g">`)
	lines := ""
	for v := a.low; v <= a.high+a.step/2; v += a.step {
		lines += fmt.Sprintf("M%g %.1fH%g", left, a.y(v), width-right)
		fmt.Fprintf(b, `<text x="%g" y="%.1f">%s</text>`, left-6, a.y(v)+4, digits(v/c.size))
	}
	fmt.Fprintf(b, `<path d="%s"/></g>`, lines)
}

// dots are the rounds, in one path: each a line without a length and with a round end.
func (c chart) dots(b *strings.Builder, a axis) {
	b.WriteString(`<path class="d" d="`)
	for i, p := range c.points {
		for n, v := range p.rounds {
			fmt.Fprintf(b, "M%.0f %.0fh0", c.x(i)+spread(n, len(p.rounds), c.room()), a.y(v))
		}
	}
	b.WriteString(`"/>`)
}

// spread moves dots apart that would lie on each other.
func spread(n, of int, room float64) float64 {
	return (float64(n%5) - 2) * min(room/12, 2.5) * float64(min(of-1, 1))
}

// room is the width that a point has.
func (c chart) room() float64 { return (width - left - right) / float64(len(c.points)) }

// line joins the medians, and has the interval of each.
func (c chart) line(b *strings.Builder, a axis) {
	var line, bars, ends strings.Builder
	for i, p := range c.points {
		x, m := c.x(i), pairs.Median(p.rounds)
		move := "M"
		if p.joined {
			move = "L"
		}
		fmt.Fprintf(&line, "%s%.1f %.1f", move, x, a.y(m))
		fmt.Fprintf(&ends, "M%.1f %.1fh0", x, a.y(m))
		if low, high, ok := interval(p.rounds); ok {
			fmt.Fprintf(&bars, "M%.1f %.1fV%.1fm-4 0h8M%.1f %.1fh8", x, a.y(low), a.y(high), x-4, a.y(low))
		}
	}
	class := "p"
	if c.bare {
		class = "p q"
	}
	fmt.Fprintf(b, `<path class="m" d="%s"/><path class="i" d="%s"/><path class="%s" d="%s"/>`, line.String(), bars.String(), class, ends.String())
}

// steps are vertical lines; texts of neighbours stand in two rows.
func (c chart) steps(b *strings.Builder, a axis) {
	for i, m := range c.marks {
		x, row := c.x(m.at)-c.room()/2, 14.0+float64(i%2)*14
		fmt.Fprintf(b, `<path class="s" d="M%.1f %gV%g"/>`, x, row-8, a.bottom)
		if c.bare {
			continue
		}
		anchor, dx := "start", 4.0
		if x > width*0.62 {
			anchor, dx = "end", -4
		}
		fmt.Fprintf(b, `<text class="s" x="%.1f" y="%g" text-anchor="%s">%s</text>`, x+dx, row, anchor, html.EscapeString(m.name+" "+m.text))
	}
}

// names writes the name of each point below it.
func (c chart) names(b *strings.Builder, a axis) {
	turned := c.turned()
	b.WriteString(`<g class="n">`)
	for i, p := range c.points {
		switch {
		case p.name == "":
		case turned:
			fmt.Fprintf(b, `<text transform="translate(%.1f %g)rotate(-35)" text-anchor="end">%s</text>`, c.x(i)+4, a.bottom+14, html.EscapeString(p.name))
		default:
			fmt.Fprintf(b, `<text x="%.1f" y="%g" text-anchor="middle">%s</text>`, c.x(i), a.bottom+18, html.EscapeString(p.name))
		}
	}
	b.WriteString(`</g>`)
}

// links lie above the picture. The keyboard reaches the same ones in the table below.
func (c chart) links(b *strings.Builder, a axis) {
	fmt.Fprintf(b, `<svg viewBox="0 0 %g %g" class="l" role="group" aria-label="Links to raw lines">`, width, height)
	for i, p := range c.points {
		fmt.Fprintf(b, `<a href="%s" tabindex="-1"><title>%s: %s</title><circle cx="%.1f" cy="%.1f" r="9"/></a>`,
			html.EscapeString(p.link), html.EscapeString(p.about), c.value(pairs.Median(p.rounds)), c.x(i), a.y(pairs.Median(p.rounds)))
	}
	b.WriteString(`</svg>`)
}
