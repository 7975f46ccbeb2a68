package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// WithLayers returns v with the layers of a stack around it. It represents its framework as
// much as v does.
func WithLayers(v framework.Variant, s framework.Stack) (framework.Variant, error) {
	if lacks := lackedBy(v, s); len(lacks) > 0 {
		return v, fmt.Errorf("%s lacks %s", v.ID(), strings.Join(lacks, " and "))
	}
	w := v.Layers.With(s)
	w.With, w.Layers, w.Windows, w.Recommended = s.String(), nil, nil, v.Recommended
	for _, l := range s.List() {
		w.About += "; " + string(l) + ": " + v.Layers.Has[l]
	}
	return w, nil
}

// Wrapped returns variants, with those that -with makes of them. They have no certificates.
func (s *selection) Wrapped(table []framework.Variant) []framework.Variant {
	all := slices.Clone(table)
	for _, v := range table {
		for _, stack := range s.Layers.Values {
			if w, err := WithLayers(v, stack); err == nil {
				all = append(all, w)
			}
		}
	}
	return all
}

// lackedBy lists the layers of a stack that a variant cannot be given.
func lackedBy(v framework.Variant, s framework.Stack) (names []string) {
	for _, l := range s.List() {
		if v.Layers == nil || v.Layers.Has[l] == "" {
			names = append(names, string(l))
		}
	}
	return names
}
