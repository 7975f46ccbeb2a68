package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// mostNamed is how many benchmarks a clause of the sentence names.
const mostNamed = 3

// Sentence is what a reviewer needs: what changed, and whether it fails.
func (r *Report) Sentence() string {
	clauses := r.changed()
	if len(clauses) == 0 {
		clauses = []string{r.unchanged()}
	}
	if clause := r.clause(New, "", "is new", "are new"); clause != "" {
		clauses = append(clauses, clause)
	}
	for _, d := range r.Mixed {
		was, now := d.Both()
		clauses = append(clauses, fmt.Sprintf("%s is %s and %s", d.Key, was, now))
	}
	for _, status := range []Status{CannotTell, CannotFind} {
		if n := r.Count(status); n > 0 {
			clauses = append(clauses, fmt.Sprintf("%d of %d rows %s", n, r.compared(), status))
		}
	}
	if r.Count(Fail) == 0 {
		clauses = append(clauses, "nothing fails")
	}
	s := strings.Join(clauses, "; ") + "."
	return foreign.Line(r.Remark + strings.ToUpper(s[:1]) + s[1:])
}

// changed has a clause for each kind of change that there is.
func (r *Report) changed() (clauses []string) {
	of := " of " + plural(r.judged())
	for _, c := range []struct {
		status    Status
		one, many string
	}{
		{Fail, "fails", "fail"},
		{Slower, "is slower", "are slower"},
		{More, "needs more", "need more"},
		{Faster, "is faster", "are faster"},
		{Other, "differs", "differ"},
		{Less, "needs less", "need less"},
	} {
		if clause := r.clause(c.status, of, c.one, c.many); clause != "" {
			clauses, of = append(clauses, clause), ""
		}
	}
	return clauses
}

func (r *Report) unchanged() string {
	switch n := r.judged(); {
	case n == 0 || r.compared() == 0:
		return "nothing was compared"
	case r.Count(CannotTell, CannotFind) > 0:
		return "no change that this run could see in " + plural(n)
	case r.timedRows() == 0:
		return "no count has changed in " + plural(n)
	default:
		return fmt.Sprintf("no difference of %g %% or more in %s", 100*band, plural(n))
	}
}

// judged is the number of benchmarks that have more rows than that they are new.
func (r *Report) judged() (n int) {
	for _, b := range r.Benchmarks {
		if slices.ContainsFunc(b.Rows, func(row Row) bool { return row.Status != New }) {
			n++
		}
	}
	return n
}

// clause names the benchmarks with a status, and the surest change of each.
func (r *Report) clause(s Status, of, one, many string) string {
	short, _ := r.names()
	var named []string
	sure := ""
	for i, b := range r.Benchmarks {
		if row, found := b.surest(s); found && !b.failsBy(s) {
			named = append(named, short[i]+row.said())
			if row.byPairs() {
				sure = fmt.Sprintf(", %g %% sure", 100*pairs.Confidence)
			}
		}
	}
	verb := many
	switch len(named) {
	case 0:
		return ""
	case 1:
		verb = one
	}
	list := strings.Join(named[:min(len(named), mostNamed)], ", ")
	if more := len(named) - mostNamed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%d%s %s%s: %s", len(named), of, verb, sure, list)
}

// said is the row in a few words; that a benchmark is new needs none.
func (r Row) said() string {
	switch {
	case r.Status == New:
		return ""
	case r.Why != "":
		return fmt.Sprintf(" (%s %s)", r.Unit, r.Why)
	}
	if r.byPairs() && r.signed(r.Change.Low) != r.signed(r.Change.High) {
		return fmt.Sprintf(" (%s %s, %s)", r.Unit, r.change(), r.interval())
	}
	return fmt.Sprintf(" (%s %s%s)", r.Unit, r.change(), r.with())
}

// byPairs reports whether the row has an interval of pairs.
func (r Row) byPairs() bool { return r.Why == "" && r.Counts == nil }

// failsBy reports whether a clause has said that the benchmark fails by such a change.
func (b Benchmark) failsBy(s Status) bool {
	row, found := b.surest(Fail)
	return found && row.Worse == s
}
