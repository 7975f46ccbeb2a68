package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// conditions are the keys that lines of one chart have in common. All others
// tell variants apart.
var conditions = []string{"size", "conc", "rate", "load", "slo", "workload", "servers", "parallel", "net", "loop", "msg", "op", "data", "payload", "peer"}

// lineGroup is the lines of one panel.
type lineGroup struct {
	bench    string
	keys     []lines.Key // conditions
	variants []*variant
}

// variant is the lines of one series.
type variant struct {
	framework string
	keys      []lines.Key // but for conditions and the framework
	label     string
	style     int
	lines     []lines.Line
}

// group sorts lines into panels. The keys of the axis are no condition.
func group(list []lines.Line, axis []string) (groups []*lineGroup) {
	for _, l := range list {
		keys, own := split(l.Name, axis)
		at := slices.IndexFunc(groups, func(g *lineGroup) bool { return g.bench == l.Base && slices.Equal(g.keys, keys) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &lineGroup{bench: l.Base, keys: keys})
		}
		v := groups[at].variant(frameworkOf(l.Name), own)
		v.lines = append(v.lines, l)
	}
	for _, g := range groups {
		g.name(axis)
	}
	return groups
}

// split tells the conditions of a name from what a variant is told by.
func split(n lines.Name, axis []string) (keys, own []lines.Key) {
	for _, k := range n.Keys {
		switch {
		case slices.Contains(axis, k.Key) || k.Key == "framework":
		case slices.Contains(conditions, k.Key):
			keys = append(keys, k)
		default:
			own = append(own, k)
		}
	}
	return keys, own
}

func (g *lineGroup) variant(framework string, keys []lines.Key) *variant {
	style := 0
	for _, v := range g.variants {
		if v.framework != framework {
			continue
		}
		if slices.Equal(v.keys, keys) {
			return v
		}
		style++
	}
	v := &variant{framework: framework, keys: keys, style: style}
	g.variants = append(g.variants, v)
	return v
}

// name labels the variants: a framework's name, and what its variants differ
// in. Where all lines have one value of the axis it becomes a condition.
func (g *lineGroup) name(axis []string) {
	for _, v := range g.variants {
		v.label = v.framework
		for _, k := range v.keys {
			if !g.shared(v.framework, k) {
				v.label += " " + k.Value
			}
		}
	}
	for _, key := range axis {
		if value, ok := g.only(key); ok {
			g.keys = append(slices.Clip(g.keys), lines.Key{Key: key, Value: value})
		}
	}
}

// shared reports whether all variants of a framework have a key.
func (g *lineGroup) shared(framework string, k lines.Key) bool {
	return !slices.ContainsFunc(g.variants, func(v *variant) bool {
		return v.framework == framework && !slices.Contains(v.keys, k)
	})
}

// only returns the one value that a key has in all lines.
func (g *lineGroup) only(key string) (value string, ok bool) {
	value = g.variants[0].lines[0].Get(key)
	for _, v := range g.variants {
		for _, l := range v.lines {
			if l.Get(key) != value {
				return "", false
			}
		}
	}
	return value, value != ""
}

// title is a panel's name, as in "Echo, 1KiB, 100 callers".
func (g *lineGroup) title() string {
	parts := []string{g.bench}
	for _, k := range g.keys {
		parts = append(parts, words(k))
	}
	return strings.Join(parts, ", ")
}

// words says a key's value so that it can be told without the key.
func words(k lines.Key) string {
	switch k.Key {
	case "size", "":
		return k.Value
	case "conc":
		if k.Value == "1" {
			return "1 caller"
		}
		return k.Value + " callers"
	case "rate":
		return k.Value + " calls/s offered"
	case "load":
		return k.Value + " load"
	case "servers":
		return k.Value + " servers"
	case "parallel":
		return k.Value + " at once"
	}
	return k.Key + " " + k.Value
}

func (g *lineGroup) panel(m *material) Panel {
	p := Panel{Name: g.title(), bench: g.bench, keys: g.keys}
	for _, v := range g.variants {
		for _, l := range firsts(v.lines) {
			for _, note := range m.notes[l.Full] {
				p.Notes = append(p.Notes, fmt.Sprintf("%s: %s", g.short(v, l), note))
			}
		}
	}
	return p
}

// firsts are the lines without their repeats.
func firsts(list []lines.Line) (unique []lines.Line) {
	for _, l := range list {
		if !slices.ContainsFunc(unique, func(u lines.Line) bool { return u.Full == l.Full }) {
			unique = append(unique, l)
		}
	}
	return unique
}

// short names a line within its panel.
func (g *lineGroup) short(v *variant, l lines.Line) string {
	name := v.label
	for _, k := range l.Keys {
		if slices.Contains(conditions, k.Key) && !slices.Contains(g.keys, k) {
			name += ", " + words(k)
		}
	}
	return name
}

// chart draws one unit over the axis.
func (g *lineGroup) chart(m *material, a axis, unit string) Chart {
	c := Chart{X: a.title, Scale: a.scale, Bars: true}
	for _, v := range g.variants {
		s := Series{Framework: v.framework, Label: v.label, Style: v.style}
		for _, p := range v.points(a, unit) {
			s.Points = append(s.Points, p.point())
			s.Warned = s.Warned || len(m.notes[p.full]) > 0
			c.Rounds = max(c.Rounds, len(p.values))
		}
		if len(s.Points) == 0 {
			continue
		}
		slices.SortFunc(s.Points, func(p, q Point) int { return cmp.Compare(p[0], q[0]) })
		c.Bars = c.Bars && len(s.Points) == 1
		c.Series = append(c.Series, s)
	}
	return c
}

// repeats are the values of one line.
type repeats struct {
	full       string
	xs, values []float64
}

// points are the lines of a variant that have the unit, with their repeats.
func (v *variant) points(a axis, unit string) (list []*repeats) {
	for _, l := range v.lines {
		value, ok := l.Values[unit]
		if !ok {
			continue
		}
		at := slices.IndexFunc(list, func(r *repeats) bool { return r.full == l.Full })
		if at < 0 {
			at = len(list)
			list = append(list, &repeats{full: l.Full})
		}
		list[at].xs = append(list[at].xs, a.x(l))
		list[at].values = append(list[at].values, value)
	}
	return list
}

func (r *repeats) point() Point {
	return Point{number(median(r.xs)), number(median(r.values)), number(slices.Min(r.values)), number(slices.Max(r.values))}
}

// median is the middle of values, one at least, or the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
