// Package releases compares versions that one record of history measured.
package releases

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/fact"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/paired"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/table"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Releases is the lines of records: cases that several versions ran in one round. Their names
// are equal, so they are in no other table.
type Releases struct {
	Lines []lines.Line
	kinds *material.Kinds
	order []string // the versions, oldest first, as records name them
	base  string   // the framework that the others are compared with
}

// isOfRecord reports whether a line is of a record.
func isOfRecord(l lines.Line) bool { return l.Config["history"] != "" && l.Config["version"] != "" }

// New sorts the releases of the lines, which may be none.
func New(all []lines.Line, ks *material.Kinds) *Releases {
	r, known := &Releases{kinds: ks}, seen.Texts{}
	for _, l := range all {
		if !isOfRecord(l) {
			continue
		}
		r.Lines = append(r.Lines, l)
		for v := range strings.FieldsSeq(l.Config["versions"]) {
			if known.IsNew(v) {
				r.order = append(r.order, v)
			}
		}
	}
	r.Lines = lines.Rule{Fields: lines.Fields(), Side: func(l lines.Line) string { return l.Config["version"] }}.Apart(r.Lines)
	i := slices.IndexFunc(r.Lines, func(l lines.Line) bool { return len(r.order) > 0 && l.Config["version"] == r.order[0] })
	if i >= 0 {
		r.base = rank.Framework(r.Lines[i].Name)
	}
	return r
}

// Without is the text without the lines of records, and without the notes on them.
func Without(t *lines.Text) *lines.Text {
	others, names := *t, seen.Texts{}
	others.Lines = slices.DeleteFunc(slices.Clone(t.Lines), isOfRecord)
	for _, l := range others.Lines {
		names[l.Full] = true
	}
	if len(others.Lines) < len(t.Lines) {
		others.Notes = slices.DeleteFunc(slices.Clone(t.Notes), func(n lines.Note) bool { return !names[n.Name] })
	}
	return &others
}

// quantities are those by which releases are compared.
var quantities = []paired.Quantity{
	paired.Of("CPU of both sides", "µs", 1e3, "client-cpu-ns/op", "server-cpu-ns/op"),
	paired.Of("CPU of the client", "µs", 1e3, "client-cpu-ns/op"),
	paired.Of("CPU of the server", "µs", 1e3, "server-cpu-ns/op"),
	paired.Of("calls/s", "calls/s", 1, "calls/s"),
	paired.Of("p99", "ms", 1e6, "p99-ns"),
	paired.Of("p99.9", "ms", 1e6, "p99.9-ns"),
}

// Tables has one for each quantity of each panel of calls.
func (r *Releases) Tables() (list []table.Table) {
	calls := slices.DeleteFunc(slices.Clone(r.Lines), func(l lines.Line) bool {
		k := r.kinds.Of(l)
		return k == nil || !k.Calls
	})
	for _, g := range r.kinds.Group(calls, material.None()) {
		for _, q := range quantities {
			list = append(list, r.table(g, q)...)
		}
	}
	return list
}

// release is the lines of a variant in one version.
type release struct {
	*material.Variant
	version string
	lines   []lines.Line
	newest  *release // of the variant
}

// of lists the releases of a panel: variants in the order of their newest, references last.
func (r *Releases) of(g *material.Group) (list []*release) {
	for _, v := range g.Variants {
		list = append(list, r.ofVariant(v)...)
	}
	slices.SortStableFunc(list, func(a, b *release) int {
		return cmp.Or(
			cmp.Compare(rank.Order(a.Rank()), rank.Order(b.Rank())),
			cmp.Compare(r.place(a.newest.version), r.place(b.newest.version)),
			cmp.Compare(a.Label, b.Label),
			cmp.Compare(r.place(a.version), r.place(b.version)),
		)
	})
	return list
}

func (r *Releases) ofVariant(v *material.Variant) (list []*release) {
	known := map[string]*release{}
	var newest *release
	for _, l := range v.Lines {
		name := l.Config["version"]
		if known[name] == nil {
			known[name] = &release{Variant: v, version: name}
			list = append(list, known[name])
		}
		known[name].lines = append(known[name].lines, l)
		if newest == nil || r.place(name) > r.place(newest.version) {
			newest = known[name]
		}
	}
	for _, one := range list {
		one.newest = newest
	}
	return list
}

// place of a version; what stands beside the versions comes last.
func (r *Releases) place(version string) int {
	if at := slices.Index(r.order, version); at >= 0 {
		return at
	}
	return len(r.order)
}

// table is of one quantity; none if no line has it.
func (r *Releases) table(g *material.Group, q paired.Quantity) []table.Table {
	list := r.of(g)
	bases := r.bases(list)
	t := table.Table{
		Title: "Releases, " + q.Title + ": " + g.Title(), Text: 2,
		Head: []string{"framework", "version", q.Head, "× newest"}, Measured: fact.OfRecord(g.Lines()),
	}
	for _, b := range bases {
		t.Head = append(t.Head, "× "+b.Framework+" "+b.name())
	}
	var rounds paired.Rounds
	for _, one := range list {
		if row := r.row(q, one, bases, &rounds); row != nil {
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t = t.Without("× newest", number.Missing, "1")
	t.Note = note(&rounds)
	return []table.Table{t}
}

// bases are the oldest and the newest release of the framework that others are compared with.
func (r *Releases) bases(list []*release) []*release {
	list = slices.DeleteFunc(slices.Clone(list), func(one *release) bool { return one.Framework != r.base })
	if len(list) == 0 {
		return nil
	}
	first := list[0]
	return slices.CompactFunc([]*release{first, first.newest}, func(a, b *release) bool { return a == b })
}

// name is a version without its module. Of a program that the record names otherwise, it is
// the version that the program prints.
func (one *release) name() string {
	_, short, _ := strings.Cut(one.version, "@")
	short = cmp.Or(short, one.version)
	if fact.IsVersion(short) || one.lines[0].Config["kind"] == history.OfCommits {
		return short
	}
	return cmp.Or(rank.Version(one.lines[0]), short)
}

// row is nil if no line has the quantity.
func (r *Releases) row(q paired.Quantity, one *release, bases []*release, rounds *paired.Rounds) []string {
	values, _ := q.Values(r.kinds, sameRound(one.lines, one.lines))
	if len(values) == 0 {
		return nil
	}
	row := []string{one.Label, one.name(), number.Digits(pairs.Median(values) / q.Size)}
	for _, base := range append([]*release{one.newest}, bases...) {
		row = append(row, r.ratio(q, base, one, rounds))
	}
	return row
}

// ratio of a release to a base, by the rounds that have both.
func (r *Releases) ratio(q paired.Quantity, base, one *release, rounds *paired.Rounds) string {
	if base == one {
		return "1"
	}
	before, after := q.Values(r.kinds, sameRound(base.lines, one.lines))
	if len(before) == 0 {
		return number.Missing
	}
	c := paired.ChangeOf(before, after)
	rounds.Add(c)
	if c.Open() {
		return fmt.Sprintf("%.2f ?", 1+c.Value)
	}
	return fmt.Sprintf("%.2f ±%.2f", 1+c.Value, c.Half)
}

// sameRound pairs lines of one round of a record.
func sameRound(bases, others []lines.Line) (list []paired.Pair) {
	of := map[[2]string]lines.Line{}
	at := func(l lines.Line) [2]string { return [2]string{l.File(), l.Config["round"]} }
	for _, l := range bases {
		of[at(l)] = l
	}
	for _, l := range others {
		if base, ok := of[at(l)]; ok {
			list = append(list, paired.Pair{Base: base, Other: l})
		}
	}
	return list
}

// note says how to read the table.
func note(rounds *paired.Rounds) string {
	text := fmt.Sprintf("The median of the rounds, and how many times that of another release it is: the ratio of the two in a round (the median of pairwise means, %s rounds), ± the farther end of its 95 %% interval.", rounds)
	if rounds.Open {
		text += " ?: it takes 6 rounds for an interval."
	}
	return text
}
