package verdict

import (
	"fmt"
	"strings"
)

// mostNamed is how many benchmarks a clause of the sentence names.
const mostNamed = 3

// Sentence is what a reviewer needs: what changed, and whether it fails.
func (r *Report) Sentence() string {
	var clauses []string
	for _, c := range []struct {
		status    Status
		one, many string
	}{
		{Fail, "fails", "fail"},
		{Slower, "is slower", "are slower"},
		{More, "allocates more", "allocate more"},
		{Faster, "is faster", "are faster"},
		{Less, "allocates less", "allocate less"},
	} {
		of := ""
		if len(clauses) == 0 {
			of = " of " + plural(len(r.Benchmarks))
		}
		if clause := r.clause(c.status, of, c.one, c.many); clause != "" {
			clauses = append(clauses, clause)
		}
	}
	if len(clauses) == 0 {
		clauses = []string{r.unchanged()}
	}
	if n := r.Count(CannotTell); n > 0 {
		clauses = append(clauses, fmt.Sprintf("%d of %d rows cannot tell", n, r.compared()))
	}
	if r.Count(Fail) == 0 {
		clauses = append(clauses, "nothing fails")
	}
	s := strings.Join(clauses, "; ") + "."
	return strings.ToUpper(s[:1]) + s[1:]
}

func (r *Report) unchanged() string {
	if r.Count(CannotTell) == 0 {
		return fmt.Sprintf("no difference of %g %% or more in %s", 100*Band, plural(len(r.Benchmarks)))
	}
	return "no change shown in " + plural(len(r.Benchmarks))
}

func plural(n int) string {
	if n == 1 {
		return "1 benchmark"
	}
	return fmt.Sprintf("%d benchmarks", n)
}

// clause names the benchmarks with a status, and the surest change of each.
func (r *Report) clause(s Status, of, one, many string) string {
	short, _ := r.names()
	var named []string
	for i, b := range r.Benchmarks {
		if row, found := b.surest(s); found && !(s == Slower && b.failsByTime()) {
			named = append(named, fmt.Sprintf("%s (%s)", short[i], row.said()))
		}
	}
	verb := many
	if len(named) == 1 {
		verb = one
	}
	if len(named) == 0 {
		return ""
	}
	list := strings.Join(named[:min(len(named), mostNamed)], ", ")
	if more := len(named) - mostNamed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%d%s %s: %s", len(named), of, verb, list)
}

// said is the row in a few words.
func (r Row) said() string {
	if r.Why != "" {
		return r.Unit + " " + r.Why
	}
	return r.Unit + " " + r.change()
}

// failsByTime reports whether it has been said already that it is slower.
func (b Benchmark) failsByTime() bool {
	row, found := b.surest(Fail)
	return found && row.Why == ""
}
