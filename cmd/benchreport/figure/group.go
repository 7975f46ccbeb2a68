package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// conditions are the keys that lines of one chart have in common. All others
// tell variants apart.
var conditions = []string{"size", "conc", "rate", "load", "slo", "workload", "servers", "parallel", "net", "mode", "loop", "msg", "streams", "mix", "op", "data", "timeout", "payload", "peer", "idle", "down"}

// lineGroup is the lines of one panel.
type lineGroup struct {
	bench    string
	keys     []lines.Key // conditions
	variants []*variant
	known    map[string]*variant // by framework and keys
	styles   map[string]int      // how many variants a framework has
	sharing  map[string]int      // how many of them have a key, by framework and key
}

// variant is the lines of one series.
type variant struct {
	framework string
	keys      []lines.Key // but for conditions and the framework
	label     string
	style     int
	lines     []lines.Line
	byOp      map[string][]lines.Line // of a serializer
}

// group sorts lines into panels. The keys of the axis are no condition.
func group(list []lines.Line, a axis) (groups []*lineGroup) {
	known := map[string]*lineGroup{}
	for _, l := range list {
		keys, own := split(l.Name, a.keys)
		name := fmt.Sprintf("%q", append(keys, lines.Key{Value: l.Base}))
		if known[name] == nil {
			known[name] = &lineGroup{bench: l.Base, keys: keys, known: map[string]*variant{}, styles: map[string]int{}, sharing: map[string]int{}}
			groups = append(groups, known[name])
		}
		known[name].variant(frameworkOf(l.Name), own).add(l)
	}
	for _, g := range groups {
		g.name(a.keys)
	}
	return groups
}

// split tells the conditions of a name from what a variant is told by.
func split(n lines.Name, axis []string) (keys, own []lines.Key) {
	for _, k := range n.Keys {
		switch {
		case slices.Contains(axis, k.Key) || k.Key == "framework":
		case slices.Contains(conditions, k.Key) && !(k.Key == "mode" && n.Base == "Codec"):
			keys = append(keys, k)
		default:
			own = append(own, k)
		}
	}
	return keys, own
}

func (g *lineGroup) variant(framework string, keys []lines.Key) *variant {
	name := fmt.Sprintf("%q %q", framework, keys)
	if v := g.known[name]; v != nil {
		return v
	}
	v := &variant{framework: framework, keys: keys, style: g.styles[framework], byOp: map[string][]lines.Line{}}
	g.variants, g.known[name] = append(g.variants, v), v
	g.styles[framework]++
	for _, k := range keys {
		g.sharing[fmt.Sprintf("%q %q", framework, k)]++
	}
	return v
}

func (v *variant) add(l lines.Line) {
	v.lines = append(v.lines, l)
	v.byOp[l.Get("op")] = append(v.byOp[l.Get("op")], l)
}

// name labels the variants: a framework's name, with a word where its code is
// ours, and what its variants differ in. Where all lines have one value of the axis it becomes a condition.
func (g *lineGroup) name(axis []string) {
	for _, v := range g.variants {
		words := []string{v.framework}
		if v.rank() == ours {
			words = append(words, "(ours)")
		}
		for _, k := range v.keys {
			switch {
			case v.framework != "" && g.shared(v.framework, k):
			case k.Key == "window": // a size that is not that of the payload
				words = append(words, "window "+k.Value)
			default:
				words = append(words, k.Value)
			}
		}
		v.label = strings.TrimSpace(strings.Join(words, " "))
	}
	for _, key := range axis {
		if value, ok := g.only(key); ok {
			g.keys = append(slices.Clip(g.keys), lines.Key{Key: key, Value: value})
		}
	}
}

// shared reports whether all variants of a framework have a key.
func (g *lineGroup) shared(framework string, k lines.Key) bool {
	return g.sharing[fmt.Sprintf("%q %q", framework, k)] == g.styles[framework]
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
		if k != (lines.Key{Key: "net", Value: "none"}) {
			parts = append(parts, words(k))
		}
	}
	return strings.Join(parts, ", ")
}

// words says a key's value so that it can be told without the key.
func words(k lines.Key) string {
	switch k.Key {
	case "size", "mode", "workload", lines.ApartKey, "":
		return k.Value
	case "conc":
		if k.Value == "1" {
			return "1 caller"
		}
		return k.Value + " callers"
	case "rate":
		return k.Value + " calls/s offered"
	case "load", "loop":
		return k.Value + " " + k.Key
	case "idle":
		return k.Value + " connections"
	case "down":
		if k.Value == "none" {
			return "new clients"
		}
		return "a server that was down for " + k.Value
	case "servers":
		return k.Value + " servers"
	case "parallel":
		return k.Value + " at once"
	}
	return k.Key + " " + k.Value
}

func (g *lineGroup) panel(m *material) Panel {
	p := Panel{Name: g.title()}
	for _, v := range g.variants {
		if slices.ContainsFunc(v.lines, func(l lines.Line) bool { return len(m.notes[l.Row()]) > 0 }) {
			p.Doubted = append(p.Doubted, v.label)
		}
	}
	return p
}

// firsts are the lines without their repeats.
func firsts(list []lines.Line) (unique []lines.Line) {
	known := seen{}
	for _, l := range list {
		if known.isNew(l.Row()) {
			unique = append(unique, l)
		}
	}
	return unique
}
