package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/pairs"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// layering is the lines of files in which cases were run bare and with something added: a
// layer, by with= in their names, or a setting of the Go runtime.
type layering struct {
	of       map[subject][]lines.Line
	files    map[string]added
	settings map[string]map[string]string // of bases, by file and key
	alone    map[subject]bool             // no other file has lines of it
	has      seen                         // a variant with layers, in any benchmark, even if it failed
	tried    seen                         // layers, in a file
}

// added is what lines have and their bases lack, in the word for titles.
type added string

const (
	layersAdded   added = "Layers"  // by with= in their names
	settingsAdded added = "Runtime" // by its settings
)

// layers is the axis of keys that a base lacks.
var layers = axis{title: "layers", keys: []string{"with", "handshake"}}

// tuned are the settings that may be what was added, with their names.
var tuned = []lines.Key{{Key: "pgo", Value: "PGO"}, {Key: "gogc", Value: "GOGC"}, {Key: "gomemlimit", Value: "GOMEMLIMIT"}}

func tunedKeys() (keys []string) {
	for _, k := range tuned {
		keys = append(keys, k.Key)
	}
	return keys
}

func newLayering(all []lines.Line, notes []lines.Note) layering {
	y := layering{of: map[subject][]lines.Line{}, files: map[string]added{}, settings: settingsOf(all), alone: map[subject]bool{}, has: seen{}, tried: seen{}}
	y.find(all)
	y.ask(all, notes)
	others := map[subject]bool{}
	for _, l := range all {
		s := subjectOf(l)
		if y.files[l.File()] == "" {
			others[s] = true
			continue
		}
		y.of[s] = append(y.of[s], l)
	}
	for s := range y.of {
		y.alone[s] = !others[s]
	}
	return y
}

// ask notes which variants have which layers. Of one that failed there is a note alone.
func (y *layering) ask(all []lines.Line, notes []lines.Note) {
	for _, l := range all {
		y.has[having(l.Name)] = true
		y.tried[l.File()+" "+l.Get("with")] = true
	}
	for _, n := range notes {
		y.has[having(lines.ParseName(n.Name))] = true
	}
}

// having is a variant with its layers.
func having(n lines.Name) string { return variantOf(n) + " " + n.Get("with") }

// lacks reports whether a variant has no such layers: it was run where they were tried.
func (y *layering) lacks(bases []lines.Line, with string) bool {
	return !y.has[variantOf(bases[0].Name)+" "+with] &&
		slices.ContainsFunc(bases, func(l lines.Line) bool { return y.tried[l.File()+" "+with] })
}

// bare is the name of a line's base, in its file.
func bare(l lines.Line) string {
	keys := slices.DeleteFunc(slices.Clone(l.Keys), func(k lines.Key) bool { return slices.Contains(layers.keys, k.Key) })
	return fmt.Sprintf("%s %s %q", l.File(), l.Base, keys)
}

// find fills in the files.
func (y *layering) find(all []lines.Line) {
	cases := map[string]string{} // the setting of their first lines
	bases := seen{}
	for _, l := range all {
		if l.Get("with") == "" {
			bases[bare(l)] = true
		}
	}
	for _, l := range all {
		at := l.File() + " " + l.Row()
		first, known := cases[at]
		if !known {
			first = y.setting(l)
			cases[at] = first
		}
		switch {
		case y.setting(l) != first:
			y.files[l.File()] = settingsAdded
		case l.Get("with") != "" && bases[bare(l)] && y.files[l.File()] == "":
			y.files[l.File()] = layersAdded
		}
	}
}

// apart reports whether a line is in the tables of layers alone: its like in other files
// would have other medians with it, and lines of several settings have one name.
func (y *layering) apart(l lines.Line) bool {
	in := y.files[l.File()]
	return in == settingsAdded || in == layersAdded && !y.alone[subjectOf(l)]
}

// settingsOf returns of each file the configuration of its first line.
func settingsOf(all []lines.Line) map[string]map[string]string {
	of := map[string]map[string]string{}
	for _, l := range all {
		if of[l.File()] == nil {
			of[l.File()] = map[string]string{}
			maps.Copy(of[l.File()], l.Config)
		}
	}
	return of
}

// setting says which settings of a line differ from those of its file's first.
func (y *layering) setting(l lines.Line) string {
	var words []string
	for _, k := range tuned {
		value, base := l.Config[k.Key], y.settings[l.File()][k.Key]
		switch {
		case value == "" || value == base:
		case k.Key == "pgo":
			words = append(words, k.Value)
		default:
			words = append(words, k.Value+"="+inMiB(k.Key, value))
		}
	}
	return strings.Join(words, " ")
}

// inMiB writes a limit, which is in bytes, in MiB.
func inMiB(key, value string) string {
	if bytes := float(value); key == "gomemlimit" && bytes > 0 {
		return digits(bytes/(1<<20)) + "MiB"
	}
	return value
}

// addition is what a line has and its base lacks; "" for a base.
func (y *layering) addition(l lines.Line) string {
	words := []string{l.Get("with"), l.Get("handshake"), y.setting(l)}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// quantity is what an addition changes.
type quantity struct {
	title string
	base  string   // the head of the base's column, with the unit of all
	units []string // whose values are added up
	size  float64
	bound bool      // a small difference is told as being below bound
	kind  added     // of tables that have it; "" for all
	of    []subject // none: all
}

// bound is the part of a base's CPU time below which a difference is not told.
const bound = .03

// precise is the half of an interval that is narrow enough, as part of the difference.
const precise = .1

var quantities = []quantity{
	{title: "CPU of both sides", base: "base µs", units: []string{"client-cpu-ns/op", "server-cpu-ns/op"}, size: 1e3, bound: true},
	{title: "CPU of the client", base: "base µs", units: []string{"client-cpu-ns/op"}, size: 1e3, bound: true},
	{title: "CPU of the server", base: "base µs", units: []string{"server-cpu-ns/op"}, size: 1e3, bound: true},
	{title: "p99", base: "base ms", units: []string{"p99-ns"}, size: 1e6, of: []subject{open, load}},
	{title: "memory of the client", base: "base MB", units: []string{"client-rss-B"}, size: megabyte, kind: settingsAdded},
	{title: "memory of the server", base: "base MB", units: []string{"server-rss-B"}, size: megabyte, kind: settingsAdded},
	{title: "bytes of a request", base: "base B", units: []string{"request-wire-B/op"}, size: 1, kind: layersAdded},
	{title: "bytes of a reply", base: "base B", units: []string{"reply-wire-B/op"}, size: 1, kind: layersAdded},
	{title: "dial", base: "base ms", units: []string{"dial-ns"}, size: 1e6},
	{title: "first call", base: "base ms", units: []string{"first-call-ns"}, size: 1e6},
}

// in reports whether tables of a kind and of a subject have it.
func (q quantity) in(s subject, k added) bool {
	return (q.of == nil || slices.Contains(q.of, s)) && (q.kind == "" || q.kind == k)
}

// value is the sum of a line's units, if it has all and they are above 0.
func (q quantity) value(l lines.Line) (sum float64, ok bool) {
	for _, unit := range q.units {
		v := l.Values[unit]
		if v <= 0 {
			return 0, false
		}
		sum += v
	}
	return sum, true
}

// tables has one for each quantity of each panel.
func (y *layering) tables() (list []Table) {
	for _, s := range slices.Concat(ofCalls, []subject{counted, dialed}) {
		for _, g := range group(y.of[s], layers) {
			for _, q := range quantities {
				if q.in(s, g.kind()) {
					list = append(list, y.table(g, q)...)
				}
			}
			list = append(list, y.handshakes(g)...)
		}
	}
	return list
}

// table is of one quantity; none if no variant has it with an addition and without.
func (y *layering) table(g *lineGroup, q quantity) []Table {
	columns := y.columns(g)
	t := Table{Title: g.titled(q.title), Text: 1, Head: append([]string{"framework", q.base}, columns...), Measured: measured(g.all())}
	g.byFramework()
	var sum tally
	for _, v := range g.variants {
		if row := y.row(v, q, columns, &sum); row != nil {
			t.Rows = append(t.Rows, row)
		}
	}
	for _, c := range columns {
		t = t.without(c, missing, "lacks")
	}
	t.Note = sum.note()
	if sum.told == 0 {
		return nil
	}
	return []Table{t}
}

// titled says what is added: layers, or settings of the runtime.
func (g *lineGroup) titled(of string) string {
	keys := slices.DeleteFunc(slices.Clone(g.keys), func(k lines.Key) bool { return slices.Contains(layers.keys, k.Key) })
	return string(g.kind()) + ", " + of + ": " + (&lineGroup{bench: g.bench, keys: keys}).title()
}

// kind is what is added to some of the lines.
func (g *lineGroup) kind() added {
	if slices.ContainsFunc(g.all(), func(l lines.Line) bool { return l.Get("with") != "" }) {
		return layersAdded
	}
	return settingsAdded
}

func (g *lineGroup) all() (list []lines.Line) {
	for _, v := range g.variants {
		list = append(list, v.lines...)
	}
	return list
}

// order of layers, as the suite's framework.AllLayers has it. A stack comes after its
// layers alone.
var layerOrder = []string{"tls13", "mtls", "gzip", "zstd", "snappy", "otel"}

// isLayer reports whether an addition is layers, and not a setting.
func isLayer(addition string) bool { return slices.Contains(layerOrder, partsOf(addition)[0]) }

// partsOf are the layers of an addition.
func partsOf(addition string) []string { return strings.Split(strings.Fields(addition)[0], "_") }

// columns are the additions of a panel: layers in their order, and settings in that of
// the lines.
func (y *layering) columns(g *lineGroup) (list []string) {
	known := seen{"": true}
	for _, l := range g.all() {
		if a := y.addition(l); known.isNew(a) {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int {
		m, n := partsOf(a), partsOf(b)
		return cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(slices.Index(layerOrder, m[0]), slices.Index(layerOrder, n[0])))
	})
	return list
}

// row is nil for a variant without a base.
func (y *layering) row(v *variant, q quantity, columns []string, sum *tally) []string {
	of := map[string][]lines.Line{}
	for _, l := range v.lines {
		of[y.addition(l)] = append(of[y.addition(l)], l)
	}
	var bases []float64
	for _, l := range of[""] {
		if value, ok := q.value(l); ok {
			bases = append(bases, value)
		}
	}
	if len(bases) == 0 {
		return nil
	}
	row := []string{v.label, digits(median(bases) / q.size)}
	for _, c := range columns {
		base, other := q.pairs(y.paired(of[""], of[c], sum))
		switch {
		case len(base) > 0:
			row = append(row, sum.cell(q, median(bases), base, other))
		case isLayer(c) && y.lacks(of[""], strings.Fields(c)[0]):
			row = append(row, "lacks")
		default:
			row = append(row, missing)
		}
	}
	return row
}

// round is when a line of a case was measured.
type round struct {
	file string
	run  int // 0: any
	nth  int // of the case's lines in the run
}

// paired are lines of one round, a base and another. Layers and their base are of one
// process. Settings are of several, so that the n-th lines are of one round as long as none
// is missing.
func (y *layering) paired(bases, others []lines.Line, sum *tally) (pairs [][2]lines.Line) {
	if len(bases) == 0 || len(others) == 0 {
		return nil
	}
	oneProcess := y.setting(others[0]) == ""
	of, rounds := map[round]lines.Line{}, roundsOf(bases, oneProcess)
	for i, r := range rounds {
		of[r] = bases[i]
	}
	with := roundsOf(others, oneProcess)
	if !oneProcess && !sameFiles(rounds, with) {
		sum.missing = true
		return nil
	}
	for i, r := range with {
		if base, ok := of[r]; ok {
			pairs = append(pairs, [2]lines.Line{base, others[i]})
		}
	}
	return pairs
}

func roundsOf(list []lines.Line, oneProcess bool) (rounds []round) {
	count := map[round]int{}
	for _, l := range list {
		r := round{file: l.File()}
		if oneProcess {
			r.run = l.Run
		}
		count[r]++
		rounds = append(rounds, round{r.file, r.run, count[r]})
	}
	return rounds
}

// sameFiles reports whether each file with lines of the one has as many of the other.
func sameFiles(bases, others []round) bool {
	count := map[string]int{}
	for _, r := range others {
		count[r.file]++
	}
	for _, r := range bases {
		if _, also := count[r.file]; also {
			count[r.file]--
		}
	}
	for _, more := range count {
		if more != 0 {
			return false
		}
	}
	return true
}

// pairs are the values of rounds in which both have one. A percentile of too few calls has
// none.
func (q quantity) pairs(list [][2]lines.Line) (base, other []float64) {
	slowerBase, slowerOther := 0., 0.
	for _, both := range list {
		b, ok := q.value(both[0])
		o, also := q.value(both[1])
		if !ok || !also || unlike(both[1]) {
			continue
		}
		base, other = append(base, b), append(other, o)
		slowerBase, slowerOther = slowerBase+slower(both[0], q.units[0]), slowerOther+slower(both[1], q.units[0])
	}
	if min(slowerBase, slowerOther) < fewest-1e-6 {
		return nil, nil
	}
	return base, other
}

// tally counts what the cells of a table say.
type tally struct {
	told, small, wide int
	fewest, most      int  // rounds of a cell
	few               bool // some have no interval
	missing           bool // rounds are
}

// cell is the difference in the unit of the base, and in per cent of it; usual is the
// median of the base in all rounds.
func (s *tally) cell(q quantity, usual float64, base, other []float64) string {
	c := pairs.CompareAt(pairs.Usual, base, other, pairs.Relative)
	s.count(c.Pairs)
	if q.bound && c.Within(bound) {
		s.small++
		return fmt.Sprintf("< %.0f %%", 100*bound)
	}
	middle := usual / q.size
	half := max(c.High-c.Value, c.Value-c.Low)
	if math.IsInf(half, 0) {
		s.few = true
		s.wide++
		return fmt.Sprintf("%s (%s %%) ?", signed(c.Value*middle, 0), signed(100*c.Value, 0))
	}
	text := fmt.Sprintf("%s (%s %%)", signed(c.Value*middle, half*middle), signed(100*c.Value, 100*half))
	if half > precise*math.Abs(c.Value) {
		s.wide++
		text += " ?"
	}
	return text
}

// signed is a difference with half of its interval, both with the same number of digits
// behind the point; half is left out if it is 0.
func signed(v, half float64) string {
	sign, text := "+", digits(math.Round(math.Abs(v)*1e6)/1e6)
	if half > 1e-9*math.Abs(v) {
		places := placesFor(half)
		text = fmt.Sprintf("%.*f ±%.*f", places, math.Abs(v), places, half)
	}
	switch {
	case v < 0:
		sign = "−"
	case v == 0:
		sign = ""
	}
	return sign + text
}

// placesFor is how many digits behind the point show the first digit of a value, or the
// first two if it begins with 1 or 2.
func placesFor(v float64) int {
	for places, limit := 0, 3.; places < 3; places, limit = places+1, limit/10 {
		if v >= limit {
			return places
		}
	}
	return 3
}

// note says how to read the table.
func (s *tally) note() string {
	text := fmt.Sprintf("What is added to the base, in its unit and in per cent of it: the ratio of the two in a round (the median of pairwise means, %s rounds), times the median base; ± the farther end of its 95 %% interval.", s.rounds())
	if s.few {
		text += " It takes 6 rounds for an interval."
	}
	if s.missing {
		text += " –: rounds are missing."
	}
	if s.small > 0 {
		text += fmt.Sprintf(" < %.0f %%: the interval is between −%[1]g %% and %[1]g %% of the base.", 100*bound)
	}
	if s.wide > 0 {
		text += fmt.Sprintf(" ?: the interval is wider than ±%.0f %% of the difference itself (%d of %d).", 100*precise, s.wide, s.told)
	}
	return text
}
