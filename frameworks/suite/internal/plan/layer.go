package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
)

// WithLayers returns v with the layers, the metadata and the interceptors of a stack. It represents its
// framework as much as v does.
func WithLayers(v framework.Variant, s layer.Stack) (framework.Variant, error) {
	if lacks := lackedBy(v, s); len(lacks) > 0 {
		return v, fmt.Errorf("%s lacks %s", v.ID(), strings.Join(lacks, " and "))
	}
	w := v.Layers.With(s)
	w.Keys, w.Layers, w.Windows, w.Recommended = stack.Named(w.Keys, s), nil, nil, v.Recommended
	for _, l := range s.Layers {
		w.About += "; " + string(l) + ": " + v.Layers.Has[l]
	}
	if s.Metadata.Entries > 0 {
		w.About += "; metadata: " + v.Layers.Metadata.By
	}
	if s.Chain > 0 {
		w.About += "; chain: " + v.Layers.Chain.By
	}
	return w, nil
}

// Wrapped returns variants, with those that -with, -metadata and -chain make of them. They
// have no certificates.
func (s *selection) Wrapped(table []framework.Variant) []framework.Variant {
	all := slices.Clone(table)
	for _, v := range table {
		for _, around := range s.stacks() {
			if stack.Empty(around) {
				continue
			}
			if w, err := WithLayers(v, around); err == nil {
				all = append(all, w)
			}
		}
	}
	return all
}

// lackedBy lists what of a stack a variant cannot be given.
func lackedBy(v framework.Variant, s layer.Stack) (names []string) {
	layers := v.Layers
	if layers == nil {
		layers = new(framework.Layers)
	}
	for _, l := range s.Layers {
		if layers.Has[l] == "" {
			names = append(names, string(l))
		}
	}
	if lacks := stack.Lacks(layers.Metadata, s.Metadata); lacks != "" {
		names = append(names, lacks)
	}
	if s.Chain > 0 && layers.Chain.By == "" {
		names = append(names, "interceptors of calls on both sides")
	}
	return names
}

// stacks are what each variant is measured with: of -chain and of -metadata each value, which
// may be nothing, and with each pair of them nothing around it, and each of -with.
func (s *selection) stacks() (list []layer.Stack) {
	around := append([]layer.Stack{{}}, s.Layers.Values...)
	for _, n := range orNothing(s.Chains.Values) {
		for _, m := range orNothing(s.Metadata.Values) {
			for _, l := range around {
				list = append(list, layer.Stack{Layers: l.Layers, Metadata: m, Chain: n})
			}
		}
	}
	return list
}

// orNothing returns the zero value of an empty list.
func orNothing[T any](list []T) []T {
	if len(list) == 0 {
		return make([]T, 1)
	}
	return list
}

// part is a value of -with, of -metadata or of -chain, which variants have or lack.
type part struct {
	flag  string
	stack layer.Stack
}

// parts are all values of them, without metadata=0 and chain=0.
func (s *selection) parts() (list []part) {
	for _, l := range s.Layers.Values {
		list = append(list, part{"-with=" + l.String(), l})
	}
	for _, m := range s.Metadata.Values {
		if m.Entries > 0 {
			list = append(list, part{"-metadata=" + m.String(), layer.Stack{Metadata: m}})
		}
	}
	for _, n := range s.Chains.Values {
		if n > 0 {
			list = append(list, part{fmt.Sprintf("-chain=%d", n), layer.Stack{Chain: n}})
		}
	}
	return list
}

// withLayers returns the targets with each stack of -with, -metadata and -chain that they can have.
func (o *Options) withLayers(targets []Target, table []framework.Variant, a *absence) (list []Target, err error) {
	known := map[string]bool{}
	for _, t := range targets {
		for _, s := range o.stacks() {
			w, err := o.wrap(t, s)
			if err != nil {
				return nil, err
			}
			if w != nil && !known[w.Place()] {
				known[w.Place()] = true
				list = append(list, *w)
			}
		}
	}
	return list, o.noteLacking(targets, table, a)
}

// wrap returns a target with a stack; nil if it cannot have it.
func (o *Options) wrap(t Target, s layer.Stack) (*Target, error) {
	switch {
	case stack.Empty(s):
		return &t, nil
	case len(lackedBy(t.Variant, s)) > 0 || t.Window != "":
		return nil, nil
	}
	s, err := s.Certified(o.Certificates)
	if err != nil {
		return nil, fmt.Errorf("-with: %w", err)
	}
	w, err := WithLayers(t.Variant, s)
	return &Target{Variant: w}, err
}

// noteLacking notes the frameworks that lack what was asked for. It is an error if none has
// any of it: of several, each binary of one framework measures what it has.
func (o *Options) noteLacking(targets []Target, table []framework.Variant, a *absence) error {
	parts, had := o.parts(), false
	for _, p := range parts {
		had = had || slices.ContainsFunc(targets, func(t Target) bool { return len(lackedBy(t.Variant, p.stack)) == 0 })
	}
	for _, p := range parts {
		lack := frameworksLacking(targets, p.stack)
		text := strings.Join(lack, ", ")
		if !had && len(targets) > 0 {
			return fmt.Errorf("%s: no variant that is selected has it: %s%s", p.flag, text, whoHas(table, p.stack))
		}
		if text != "" {
			a.note("%s: lacked by %s", p.flag, text)
		}
	}
	return nil
}

// frameworksLacking lists the frameworks of which no variant can be given a stack.
func frameworksLacking(targets []Target, s layer.Stack) (lack []string) {
	has := map[string]bool{}
	for _, t := range targets {
		has[t.Framework] = has[t.Framework] || len(lackedBy(t.Variant, s)) == 0
	}
	for _, t := range targets {
		name := t.Framework + halfOf(t.Layers, s)
		if !has[t.Framework] && !slices.Contains(lack, name) {
			lack = append(lack, name)
		}
	}
	return lack
}

// halfOf says in brackets what a variant has of metadata or interceptors that it lacks; "" for
// nothing.
func halfOf(l *framework.Layers, s layer.Stack) string {
	switch {
	case l == nil:
		return ""
	case s.Metadata.Entries > 0 && l.Metadata.OneWay != "":
		return " (" + l.Metadata.OneWay + ")"
	case s.Chain > 0 && l.Chain.Instead != "":
		return " (" + l.Chain.Instead + ")"
	}
	return ""
}

// whoHas is the end of a sentence: which frameworks of the table have a stack.
func whoHas(table []framework.Variant, s layer.Stack) string {
	names := frameworksOf(table, func(v framework.Variant) bool { return len(lackedBy(v, s)) == 0 })
	if len(names) == 0 {
		return ""
	}
	return "; these have: " + strings.Join(names, ", ")
}

// CheckMetadata returns an error if the metadata of selected cases is over the limits of
// their frameworks.
func (p *Plan) CheckMetadata() error {
	var over []string
	var first string // of the sets that are
	for _, c := range p.selected {
		why := stack.Over(p.means(c), c.Stack().Metadata)
		if why == "" || first != "" && c.Metadata != first {
			continue
		}
		first = c.Metadata
		if text := fmt.Sprintf("framework=%s (%s)", c.Framework, why); !slices.Contains(over, text) {
			over = append(over, text)
		}
	}
	if len(over) == 0 {
		return nil
	}
	m, _ := metadata.Read(first)
	flag := "metadata="
	if p.options.Metadata.Given() {
		flag = "-metadata="
	}
	return fmt.Errorf("%s%s: %d bytes of names and values are over the limit of %s", flag, first, m.Size(), strings.Join(over, ", "))
}

// means returns how the variant that a case's was made of carries metadata.
func (p *Plan) means(c Case) metadata.Means {
	bare := stack.Named(c.Variant.Keys, layer.Stack{}).ID()
	i := slices.IndexFunc(p.table, func(v framework.Variant) bool { return v.ID() == bare && v.Layers != nil })
	if i < 0 {
		return metadata.Means{}
	}
	return p.table[i].Layers.Metadata
}

// ofCalls is why messages on streams are not measured with what the keys add; "" if they are.
func ofCalls(k framework.Keys) string {
	switch {
	case k.Metadata != "":
		return "metadata goes with calls, and a stream would carry it once"
	case k.Chain != "":
		return "interceptors are around calls, and a stream would pass them once"
	}
	return ""
}
