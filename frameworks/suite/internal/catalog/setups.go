package catalog

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// byFramework splits targets where the framework changes.
func byFramework(targets []plan.Target) (groups [][]framework.Variant) {
	for i, v := range targets {
		if i == 0 || targets[i-1].Framework != v.Framework {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], v.Variant)
	}
	return groups
}

// printSetUps prints a table of how the variants of a framework are set up: each clause of
// framework.Variant.About once, beside the keys of the variants that have it.
func printSetUps(w io.Writer, variants []framework.Variant) {
	fmt.Fprintf(w, "\n### %s\n\n", variants[0].Framework)
	for _, v := range variants {
		if v.Recommended {
			fmt.Fprintf(w, "Recommended: `%s`\n\n", v.ID())
		}
	}
	if list := slices.DeleteFunc(slices.Clone(variants), func(v framework.Variant) bool { return v.Rank != framework.Beside }); len(list) > 0 {
		fmt.Fprintf(w, "Beside it, not ranked: %s\n\n", ids(list))
	}
	printRow(w, []string{"variants", "set-up"})
	printRow(w, []string{"---", "---"})
	for _, s := range setUps(variants) {
		printRow(w, []string{s.whose, strings.Join(s.clauses, "; ")})
	}
}

// setUp is what some variants of a framework have in common.
type setUp struct {
	whose   string // the condition that selects these variants, as it is printed
	order   int    // of the set-up within its framework
	clauses []string
}

// setUps returns what all variants have in common first, then what those of a transport
// have, of a codec, and of options.
func setUps(variants []framework.Variant) (all []setUp) {
	for _, clause := range clauses(variants) {
		s := setUpOf(variants, clause)
		i := slices.IndexFunc(all, func(o setUp) bool { return o.whose == s.whose })
		if i < 0 {
			all = append(all, s)
			continue
		}
		all[i].clauses = append(all[i].clauses, clause)
	}
	slices.SortStableFunc(all, func(a, b setUp) int { return a.order - b.order })
	return all
}

// clauses lists the clauses of all variants, each once.
func clauses(variants []framework.Variant) (all []string) {
	for _, v := range variants {
		for _, clause := range clausesOf(v) {
			if !slices.Contains(all, clause) {
				all = append(all, clause)
			}
		}
	}
	return all
}

func clausesOf(v framework.Variant) (list []string) {
	if v.About != "" {
		list = strings.Split(v.About, "; ")
	}
	if v.Windows != nil && v.Window == "" {
		list = append(list, fmt.Sprintf("receive windows: %s; `-window` takes %s and more", v.Windows.Default, plan.FormatSize(v.Windows.Least)))
	}
	for _, p := range v.Policies {
		list = append(list, fmt.Sprintf("`-policy=%s`: %s", p.Name, p.About))
	}
	return append(list, layerClauses(v.Layers)...)
}

// layerClauses say how a variant does each of its layers. Layers that it does in the same
// way share a clause.
func layerClauses(l *framework.Layers) (list []string) {
	if l == nil {
		return nil
	}
	var names, means []string
	for _, layer := range layer.All() {
		how := l.Has[layer]
		at := slices.Index(means, how)
		switch {
		case how == "":
		case at < 0:
			names, means = append(names, string(layer)), append(means, how)
		default:
			names[at] += "," + string(layer)
		}
	}
	for i, how := range means {
		list = append(list, fmt.Sprintf("`-with=%s`: %s", names[i], how))
	}
	if l.Metadata.By != "" {
		list = append(list, "`-metadata`: "+l.Metadata.By)
	}
	if l.Chain.By != "" {
		list = append(list, "`-chain`: "+l.Chain.By)
	}
	return list
}

// setUpOf selects the variants that have a clause by as few keys as possible, or lists
// their IDs if no keys select exactly them.
func setUpOf(variants []framework.Variant, clause string) setUp {
	with := having(variants, clause)
	terms := termsOf(variants, with)
	switch {
	case len(selected(variants, terms)) != len(with):
		return setUp{ids(with), len(keys()), []string{clause}}
	case len(terms) == 0:
		return setUp{whose: "all", clauses: []string{clause}}
	}
	var names []string
	for _, t := range terms {
		names = append(names, t.String())
	}
	return setUp{strings.Join(names, " "), terms[0].order, []string{clause}}
}

func having(variants []framework.Variant, clause string) (with []framework.Variant) {
	for _, v := range variants {
		if slices.Contains(clausesOf(v), clause) {
			with = append(with, v)
		}
	}
	return with
}

func ids(variants []framework.Variant) string {
	var names []string
	for _, v := range variants {
		names = append(names, "`"+v.ID()+"`")
	}
	return strings.Join(names, ", ")
}

// term is a condition on variants: their key has one of the values. "" is the value of a
// variant without the key.
type term struct {
	key    string
	value  func(framework.Variant) string // of the key
	values []string
	order  int // of the key in names
}

// String returns the term in the form of a flag.
func (t term) String() string {
	if slices.Equal(t.values, []string{""}) {
		return "without `" + t.key + "`"
	}
	return "`" + t.key + "=" + strings.Join(t.values, ",") + "`"
}

func (t term) fits(v framework.Variant) bool { return slices.Contains(t.values, t.value(v)) }

// termsOf returns terms that all variants in with fit, and as few others as possible. It
// leaves out a term if the others exclude the same variants.
func termsOf(variants, with []framework.Variant) (terms []term) {
	for i, t := range keys() {
		t.order = i + 1
		for _, v := range with {
			if !t.fits(v) {
				t.values = append(t.values, t.value(v))
			}
		}
		terms = append(terms, t)
	}
	for i := len(terms) - 1; i >= 0; i-- {
		less := slices.Delete(slices.Clone(terms), i, i+1)
		if len(selected(variants, less)) == len(selected(variants, terms)) {
			terms = less
		}
	}
	return terms
}

// keys returns a term without values for each key by which the variants of a framework
// differ.
func keys() []term {
	return []term{
		{key: "transport", value: func(v framework.Variant) string { return v.Transport }},
		{key: "codec", value: func(v framework.Variant) string { return v.Codec }},
		{key: "profile", value: func(v framework.Variant) string { return v.Profile }},
		{key: "pool", value: func(v framework.Variant) string { return v.Pool }},
		{key: "window", value: func(v framework.Variant) string { return v.Window }},
	}
}

// selected returns the variants that fit all terms.
func selected(variants []framework.Variant, terms []term) (fitting []framework.Variant) {
	for _, v := range variants {
		if !slices.ContainsFunc(terms, func(t term) bool { return !t.fits(v) }) {
			fitting = append(fitting, v)
		}
	}
	return fitting
}
