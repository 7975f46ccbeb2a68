package material

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Group is the lines of one panel.
type Group struct {
	Bench    string
	Keys     []lines.Key // that all lines have in common: the conditions
	Variants []*Variant
	Codec    string // the serializer of all frameworks; "" if they differ, and labels say it
	kinds    *Kinds
	known    map[string]*Variant // by framework and keys
	styles   map[string]int      // how many variants a framework has
	sharing  map[string]int      // how many of them have a key, by framework and key
}

// Group sorts lines into panels over an axis.
func (ks *Kinds) Group(list []lines.Line, a Axis) (groups []*Group) {
	known := map[string]*Group{}
	for _, l := range list {
		keys, own := ks.split(l.Name, a)
		name := unique(l.Base, keys)
		if known[name] == nil {
			known[name] = &Group{Bench: l.Base, Keys: keys, kinds: ks, known: map[string]*Variant{}, styles: map[string]int{}, sharing: map[string]int{}}
			groups = append(groups, known[name])
		}
		framework := ""
		if !a.Serializers {
			framework = rank.Framework(l.Name)
		}
		known[name].variant(framework, own).add(l, a)
	}
	for _, g := range groups {
		g.name(a.Keys)
	}
	return groups
}

// split tells the conditions of a name from the keys of its variant.
func (ks *Kinds) split(n lines.Name, a Axis) (conditions, own []lines.Key) {
	for _, k := range n.Keys {
		switch {
		case slices.Contains(a.Keys, k.Key) || k.Key == "framework":
		case ks.isCondition(k.Key) && !slices.Contains(a.Own, k.Key):
			conditions = append(conditions, k)
		default:
			own = append(own, k)
		}
	}
	return conditions, own
}

func (g *Group) variant(framework string, keys []lines.Key) *Variant {
	name := unique(framework, keys)
	if v := g.known[name]; v != nil {
		return v
	}
	v := &Variant{Framework: framework, Keys: keys, Style: g.styles[framework], kinds: g.kinds, at: map[string][]lines.Line{}}
	g.Variants, g.known[name] = append(g.Variants, v), v
	g.styles[framework]++
	for _, k := range keys {
		g.sharing[unique(framework, []lines.Key{k})]++
	}
	return v
}

// name labels the variants. Where all lines have one value of the axis it becomes a condition.
func (g *Group) name(axis []string) {
	g.Codec = g.onlyCodec()
	for _, v := range g.Variants {
		v.Label = g.label(v)
	}
	for _, key := range axis {
		if value, ok := g.Only(key); ok {
			g.Keys = append(slices.Clip(g.Keys), lines.Key{Key: key, Value: value})
		}
	}
}

// label is a framework's name, with a word where its code is ours, its serializer unless all
// have the same, and what its variants differ in.
func (g *Group) label(v *Variant) string {
	words := []string{v.Framework}
	if v.Rank() == rank.Ours {
		words = append(words, "(ours)")
	}
	for _, k := range v.Keys {
		codec := k.Key == "codec" && k.Value != NoCodec && g.Codec == ""
		switch {
		case v.Framework != "" && g.Shared(v.Framework, k) && !codec:
		case k.Key == "window" || k.Key == "chunk" || k.Key == "metadata" || k.Key == "chain": // numbers that do not speak for themselves
			words = append(words, k.Key+" "+k.Value)
		default:
			words = append(words, k.Value)
		}
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// NoCodec is the value of a variant that sends bare bytes.
const NoCodec = "none"

// onlyCodec is the serializer that all frameworks of the panel have; "" if they differ.
func (g *Group) onlyCodec() (only string) {
	for _, v := range g.Variants {
		codec := v.Codec()
		switch {
		case v.Framework == "":
			return ""
		case codec == NoCodec || codec == "":
		case only != "" && codec != only:
			return ""
		default:
			only = codec
		}
	}
	return only
}

// Shared reports whether all variants of a framework have a key.
func (g *Group) Shared(framework string, k lines.Key) bool {
	return g.sharing[unique(framework, []lines.Key{k})] == g.styles[framework]
}

// Only returns the one value that a key has in all lines.
func (g *Group) Only(key string) (value string, ok bool) {
	value = g.Variants[0].Lines[0].Get(key)
	for _, v := range g.Variants {
		for _, l := range v.Lines {
			if l.Get(key) != value {
				return "", false
			}
		}
	}
	return value, value != ""
}

// Usual reports whether the panel has lines of as many callers as benchmarks have by default.
func (g *Group) Usual() bool {
	return slices.ContainsFunc(g.Lines(), func(l lines.Line) bool { return l.Get("conc") == "100" })
}

// Title is a panel's name, as in "Echo, 1KiB, 100 callers".
func (g *Group) Title() string { return g.TitleWithout() }

// TitleWithout is the name of a panel without some of its keys.
func (g *Group) TitleWithout(keys ...string) string {
	parts := []string{g.Bench}
	for _, k := range g.Keys {
		if k != (lines.Key{Key: "net", Value: "none"}) && !slices.Contains(keys, k.Key) {
			parts = append(parts, g.kinds.Word(k))
		}
	}
	return strings.Join(parts, ", ")
}

// Lines returns the lines of all variants.
func (g *Group) Lines() (list []lines.Line) {
	for _, v := range g.Variants {
		list = append(list, v.Lines...)
	}
	return list
}

// Points name the points of an axis at which there are lines, in the order of the lines, each
// with its first line.
func (g *Group) Points(a Axis) (names []string, firsts []lines.Line) {
	known := seen.Texts{}
	for _, v := range g.Variants {
		for _, l := range v.Lines {
			if name := a.Name(l); known.IsNew(name) {
				names, firsts = append(names, name), append(firsts, l)
			}
		}
	}
	return names, firsts
}

// Joined joins groups that differ in one key alone. It is no longer a condition.
func Joined(groups []*Group, key string) (list []*Group) {
	known := map[string]*Group{}
	for _, g := range groups {
		title := g.TitleWithout(key)
		if of := known[title]; of != nil {
			of.Variants = append(of.Variants, g.Variants...)
			continue
		}
		joined := *g
		joined.Keys = slices.DeleteFunc(slices.Clone(g.Keys), func(k lines.Key) bool { return k.Key == key })
		joined.Variants = slices.Clone(g.Variants)
		known[title], list = &joined, append(list, &joined)
	}
	return list
}

// SortBy puts the references last, and before that the least of each unit first.
func (g *Group) SortBy(units ...string) {
	slices.SortStableFunc(g.Variants, func(v, w *Variant) int {
		by := cmp.Compare(rank.Order(v.Rank()), rank.Order(w.Rank()))
		for _, unit := range units {
			by = cmp.Or(by, cmp.Compare(v.Middle(unit), w.Middle(unit)))
		}
		return by
	})
}

// SortByFramework puts the references last, and the variants of a framework side by side, in
// the order of the lines.
func (g *Group) SortByFramework() {
	places := map[string]int{}
	for _, v := range g.Variants {
		if _, ok := places[v.Framework]; !ok {
			places[v.Framework] = len(places)
		}
	}
	slices.SortStableFunc(g.Variants, func(v, w *Variant) int {
		return cmp.Or(cmp.Compare(rank.Order(v.Rank()), rank.Order(w.Rank())), cmp.Compare(places[v.Framework], places[w.Framework]))
	})
}
