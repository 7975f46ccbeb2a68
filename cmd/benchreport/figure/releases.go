package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/pairs"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// releases is lines of records: cases that several versions ran in one round. Their names
// are equal, so they are in no other table.
type releases struct {
	lines []lines.Line
	order []string // the versions, oldest first, as records name them
	base  string   // the framework that the others are compared with
}

// isRelease reports whether a line is of a record.
func isRelease(l lines.Line) bool { return l.Config["history"] != "" && l.Config["version"] != "" }

func newReleases(all []lines.Line) (r releases) {
	known := seen{}
	for _, l := range all {
		if !isRelease(l) {
			continue
		}
		r.lines = append(r.lines, l)
		for v := range strings.FieldsSeq(l.Config["versions"]) {
			if known.isNew(v) {
				r.order = append(r.order, v)
			}
		}
	}
	r.lines = lines.Rule{Fields: lines.Fields(), Side: func(l lines.Line) string { return l.Config["version"] }}.Apart(r.lines)
	i := slices.IndexFunc(r.lines, func(l lines.Line) bool { return len(r.order) > 0 && l.Config["version"] == r.order[0] })
	if i >= 0 {
		r.base = frameworkOf(r.lines[i].Name)
	}
	return r
}

// withoutReleases is what the other tables are made of.
func withoutReleases(t *lines.Text) *lines.Text {
	rest, names := *t, seen{}
	rest.Lines = slices.DeleteFunc(slices.Clone(t.Lines), isRelease)
	for _, l := range rest.Lines {
		names[l.Full] = true
	}
	if len(rest.Lines) < len(t.Lines) {
		rest.Notes = slices.DeleteFunc(slices.Clone(t.Notes), func(n lines.Note) bool { return !names[n.Name] })
	}
	return &rest
}

// released are the quantities by which releases are compared.
var released = []quantity{
	{title: "CPU of both sides", base: "µs", units: []string{"client-cpu-ns/op", "server-cpu-ns/op"}, size: 1e3},
	{title: "CPU of the client", base: "µs", units: []string{"client-cpu-ns/op"}, size: 1e3},
	{title: "CPU of the server", base: "µs", units: []string{"server-cpu-ns/op"}, size: 1e3},
	{title: "calls/s", base: "calls/s", units: []string{"calls/s"}, size: 1},
	{title: "p99", base: "ms", units: []string{"p99-ns"}, size: 1e6},
	{title: "p99.9", base: "ms", units: []string{"p99.9-ns"}, size: 1e6},
}

// tables has one for each quantity of each panel.
func (r releases) tables() (list []Table) {
	calls := slices.DeleteFunc(slices.Clone(r.lines), func(l lines.Line) bool { return !slices.Contains(ofCalls, subjectOf(l)) })
	for _, g := range group(calls, none) {
		for _, q := range released {
			list = append(list, r.table(g, q)...)
		}
	}
	return list
}

// release is the lines of a variant in one version.
type release struct {
	*variant
	version string
	lines   []lines.Line
	newest  *release // of the variant
}

// of lists the releases of a panel: variants in the order of their newest, references last.
func (r releases) of(g *lineGroup) (list []*release) {
	for _, v := range g.variants {
		list = append(list, r.ofVariant(v)...)
	}
	slices.SortStableFunc(list, func(a, b *release) int {
		return cmp.Or(
			cmp.Compare(order(a.rank()), order(b.rank())),
			cmp.Compare(r.place(a.newest.version), r.place(b.newest.version)),
			cmp.Compare(a.label, b.label),
			cmp.Compare(r.place(a.version), r.place(b.version)),
		)
	})
	return list
}

func (r releases) ofVariant(v *variant) (list []*release) {
	known := map[string]*release{}
	var newest *release
	for _, l := range v.lines {
		name := l.Config["version"]
		if known[name] == nil {
			known[name] = &release{variant: v, version: name}
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
func (r releases) place(version string) int {
	if at := slices.Index(r.order, version); at >= 0 {
		return at
	}
	return len(r.order)
}

// table is of one quantity; none if no line has it.
func (r releases) table(g *lineGroup, q quantity) []Table {
	list := r.of(g)
	bases := r.bases(list)
	t := Table{Title: "Releases, " + q.title + ": " + g.title(), Text: 2, Head: []string{"framework", "version", q.base, "× newest"}, Measured: whenMeasured(g.all())}
	for _, b := range bases {
		t.Head = append(t.Head, "× "+b.framework+" "+b.name())
	}
	var sum tally
	for _, one := range list {
		if row := q.release(one, bases, &sum); row != nil {
			t.Rows = append(t.Rows, row)
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t = t.without("× newest", missing, "1")
	t.Note = sum.releases()
	return []Table{t}
}

// bases are the oldest and the newest release of the framework that others are compared with.
func (r releases) bases(list []*release) []*release {
	list = slices.DeleteFunc(slices.Clone(list), func(one *release) bool { return one.framework != r.base })
	if len(list) == 0 {
		return nil
	}
	first := list[0]
	return slices.CompactFunc([]*release{first, first.newest}, func(a, b *release) bool { return a == b })
}

// name is a version without its module. Of a program that the record names otherwise, it
// is the version that the program prints.
func (one *release) name() string {
	_, short, _ := strings.Cut(one.version, "@")
	short = cmp.Or(short, one.version)
	if version.MatchString(short) || one.lines[0].Config["kind"] == history.OfCommits {
		return short
	}
	return cmp.Or(versionOf(one.lines[0]), short)
}

// release is nil if no line has the quantity.
func (q quantity) release(one *release, bases []*release, sum *tally) []string {
	values, _ := q.pairs(sameRound(one.lines, one.lines))
	if len(values) == 0 {
		return nil
	}
	row := []string{one.label, one.name(), digits(median(values) / q.size)}
	for _, base := range append([]*release{one.newest}, bases...) {
		row = append(row, q.ratio(base, one, sum))
	}
	return row
}

// ratio of a release to another, by the rounds that have both.
func (q quantity) ratio(base, one *release, sum *tally) string {
	if base == one {
		return "1"
	}
	b, o := q.pairs(sameRound(base.lines, one.lines))
	if len(b) == 0 {
		return missing
	}
	c := pairs.CompareAt(pairs.Usual, b, o, pairs.Relative)
	sum.count(c.Pairs)
	half := max(c.High-c.Value, c.Value-c.Low)
	if math.IsInf(half, 0) {
		sum.few = true
		return fmt.Sprintf("%.2f ?", 1+c.Value)
	}
	return fmt.Sprintf("%.2f ±%.2f", 1+c.Value, half)
}

// count takes the rounds of a cell.
func (s *tally) count(rounds int) {
	if s.told++; s.told == 1 {
		s.fewest = rounds
	}
	s.fewest, s.most = min(s.fewest, rounds), max(s.most, rounds)
}

// sameRound pairs lines of one round of a record.
func sameRound(bases, others []lines.Line) (list [][2]lines.Line) {
	of := map[[2]string]lines.Line{}
	at := func(l lines.Line) [2]string { return [2]string{l.File(), l.Config["round"]} }
	for _, l := range bases {
		of[at(l)] = l
	}
	for _, l := range others {
		if base, ok := of[at(l)]; ok {
			list = append(list, [2]lines.Line{base, l})
		}
	}
	return list
}

// whenMeasured are the machine and the commit of a record, with the day of its run.
func whenMeasured(list []lines.Line) []Fact {
	facts := measured(list)
	if day := list[0].Config["run"]; len(day) >= len("20260102") {
		facts = append([]Fact{{"date", day[:4] + "-" + day[4:6] + "-" + day[6:8]}}, facts...)
	}
	return facts
}

// releases says how to read the table.
func (s *tally) releases() string {
	text := fmt.Sprintf("The median of the rounds, and how many times that of another release it is: the ratio of the two in a round (the median of pairwise means, %s rounds), ± the farther end of its 95 %% interval.", s.rounds())
	if s.few {
		text += " ?: it takes 6 rounds for an interval."
	}
	return text
}

// rounds is how many the cells have, as in "5" or "3–5".
func (s *tally) rounds() string {
	if s.most > s.fewest {
		return fmt.Sprintf("%d–%d", s.fewest, s.most)
	}
	return fmt.Sprint(s.fewest)
}
