package anatomy

import (
	"cmp"
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Change is how much more CPU time a part or a function takes in head than in base.
type Change struct {
	Name, Side string
	Place
	Base, Head float64 // ns of a call, in all rounds
	Samples    int64   // in all rounds of both
	Of         float64 // ns of a call that the whole side takes in base
	// Change is in ns, by rounds that stand side by side; its interval is infinite with
	// fewer than pairs.Fewest of them.
	pairs.Change
}

// Changes compares the sides that base and head both have, round by round. It returns the change
// of each side's whole, whose part is empty, and of each part; and the changes of functions, the
// largest first.
func (t *Table) Changes(base, head []Run) (parts, functions []Change) {
	heads := t.Sides(head)
	for _, b := range t.Sides(base) {
		i := slices.IndexFunc(heads, func(h Side) bool { return h.Name == b.Name && h.Side == b.Side })
		if i < 0 {
			continue
		}
		two := t.two(b, heads[i])
		parts = append(parts, two.change(Place{}, func(Place) bool { return true }))
		for _, p := range Parts() {
			parts = append(parts, two.change(Place{Part: p.Name}, func(at Place) bool { return at.Part == p.Name }))
		}
		functions = append(functions, two.functions()...)
	}
	slices.SortStableFunc(functions, func(a, b Change) int { return cmp.Compare(b.certain(), a.certain()) })
	return parts, functions
}

// certain is what a change is ordered by: the end of its interval that is nearer to none, or
// if the interval has none in it, less than any that has not.
func (c Change) certain() float64 {
	if near := max(c.Low, -c.High); near > 0 || c.Pairs >= pairs.Fewest {
		return near
	}
	return math.Abs(c.Value)
}

// two are a side in base and in head, in as many rounds.
type two struct {
	base, head  Side
	bases, news []map[Place]int64
}

func (t *Table) two(base, head Side) two {
	both := two{base: base, head: head}
	both.base.Runs, both.head.Runs = besides(base.Runs, head.Runs)
	base, head = both.base, both.head
	for i := range base.Runs {
		both.bases = append(both.bases, t.Places(base.Side, base.Runs[i].Stacks))
		both.news = append(both.news, t.Places(head.Side, head.Runs[i].Stacks))
	}
	return both
}

// besides returns as many runs of both, of which equal places stood side by side. Of rounds in
// which one of the two failed the other is left out: each is paired with the nearest in time.
func besides(base, head []Run) (bases, heads []Run) {
	if len(base) > len(head) {
		heads, bases = besides(head, base)
		return bases, heads
	}
	rest := slices.Clone(head)
	for i, b := range base {
		spare := len(rest) - (len(base) - i) // how many may be left out
		near := slices.MinFunc(rest[:spare+1], func(x, y Run) int {
			return cmp.Compare(x.Start.Sub(b.Start).Abs(), y.Start.Sub(b.Start).Abs())
		})
		at := slices.IndexFunc(rest, func(r Run) bool { return r.Start.Equal(near.Start) })
		bases, heads, rest = append(bases, b), append(heads, near), rest[at+1:]
	}
	return bases, heads
}

func (t two) functions() (list []Change) {
	all := map[Place]bool{}
	for _, counts := range slices.Concat(t.bases, t.news) {
		for p := range counts {
			all[p] = true
		}
	}
	for p := range all {
		list = append(list, t.change(p, func(at Place) bool { return at == p }))
	}
	slices.SortFunc(list, func(a, b Change) int { return cmp.Or(cmp.Compare(a.Function, b.Function), byOrder(a.Part, b.Part)) })
	return list
}

// change compares the places that are of it.
func (t two) change(p Place, of func(Place) bool) Change {
	c := Change{Name: t.base.Name, Side: t.base.Side, Place: p, Of: t.base.CPU}
	rounds := len(t.bases)
	base, head := make([]float64, rounds), make([]float64, rounds)
	calls := [2]float64{}
	for i := range rounds {
		b, h := count(t.bases[i], of), count(t.news[i], of)
		base[i], head[i] = t.base.Runs[i].ns(b), t.head.Runs[i].ns(h)
		c.Samples += b + h
		c.Base += base[i] * float64(t.base.Runs[i].Calls)
		c.Head += head[i] * float64(t.head.Runs[i].Calls)
		calls[0] += float64(t.base.Runs[i].Calls)
		calls[1] += float64(t.head.Runs[i].Calls)
	}
	c.Base, c.Head = c.Base/calls[0], c.Head/calls[1]
	c.Change = pairs.Compare(base, head, pairs.Absolute)
	return c
}

func count(places map[Place]int64, of func(Place) bool) (n int64) {
	for p, one := range places {
		if of(p) {
			n += one
		}
	}
	return n
}
