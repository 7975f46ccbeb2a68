package site

import (
	"fmt"
	"html"
	"html/template"
	"strings"
)

// bars are the CPU times of frameworks: the newest release as a full dot, the oldest as a
// ring, and a line between.
type bars struct {
	Title string
	list  []bar
}

// bar is a framework.
type bar struct {
	name     string // with its versions
	about    string // with its newest release
	now, was float64
	rounds   []float64 // of the newest release
}

const (
	barHeight = 38.0
	barTop    = 26.0
)

// Drawn reports whether there is something to draw.
func (c bars) Drawn() bool { return len(c.list) > 1 }

func (c bars) height() float64 { return barTop + barHeight*float64(len(c.list)) + 8 }

// axis begins at 0: lengths are compared.
func (c bars) axis() axis {
	high := 0.0
	for _, one := range c.list {
		high = max(high, one.now, one.was)
	}
	return rounded(0, high*1.02)
}

func (a axis) x(v float64) float64 {
	return 10 + (min(v, a.high)-a.low)/(a.high-a.low)*(width-30)
}

// SVG is the picture.
func (c bars) SVG() template.HTML {
	a := c.axis()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img"><title>%s</title><desc>%s</desc><g class="g">`, width, c.height(), html.EscapeString(c.Title), html.EscapeString(c.desc()))
	for v := a.low; v <= a.high+a.step/2; v += a.step {
		fmt.Fprintf(&b, `<path d="M%.1f %gV%g"/><text x="%.1f" y="12" style="text-anchor:middle">%s</text>`, a.x(v), barTop-8, c.height(), a.x(v), digits(v/1e3))
	}
	b.WriteString(`</g>`)
	for i, one := range c.list {
		one.draw(&b, a, barTop+barHeight*float64(i))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

func (one bar) draw(b *strings.Builder, a axis, y float64) {
	fmt.Fprintf(b, `<text class="b" x="12" y="%g">%s</text>`, y+11, html.EscapeString(one.name))
	y += 22
	fmt.Fprintf(b, `<path class="m" d="M%.1f %gH%.1f"/><path class="d" d="`, a.x(one.was), y, a.x(one.now))
	for n, v := range one.rounds {
		fmt.Fprintf(b, "M%.0f %.0fh0", a.x(v), y+spread(n, len(one.rounds), 24))
	}
	fmt.Fprintf(b, `"/><circle class="o" cx="%.1f" cy="%g" r="5"/><path class="p" d="M%.1f %gh0"/>`, a.x(one.was), y, a.x(one.now), y)
}

func (c bars) desc() string {
	var list []string
	for _, one := range c.list {
		list = append(list, one.about+": "+shown("cpu-ns/op", one.now))
	}
	return "CPU of the newest release: " + strings.Join(list, "; ") + "."
}
