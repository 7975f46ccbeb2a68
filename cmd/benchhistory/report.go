package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// report says what a record shows, for a terminal and the summary of a job. It returns the
// steps as well.
func report(file string) (text string, list []history.Step, err error) {
	r, err := history.Read(file)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %d of %d rounds, on %s, kernel %s, %s\n",
		file, measured(r), r.Done, r.Rounds, r.Machine["cpu"], r.Machine["kernel"], r.Machine["go"])
	for _, refused := range r.Refused {
		fmt.Fprintf(&b, "refused %s: %s\n", refused.Version, refused.Why)
	}
	for _, v := range r.Versions {
		if a := r.Adapters[v]; strings.HasSuffix(a, "/frozen") {
			fmt.Fprintf(&b, "%s is measured by the adapter in %s\n", v, a)
		}
	}
	all, _, _ := history.ReadDir(filepath.Dir(file)) // what cannot be read is not compared with
	list = r.Steps()
	b.WriteString(trust(r, all) + "\n" + steps(r, list))
	return b.String(), list, nil
}

// measured are the versions, in words.
func measured(r *history.Record) string {
	first, last := r.Versions[0], r.Versions[len(r.Versions)-1]
	of := r.Module
	if r.Kind == history.OfCommits {
		of = "commits"
	}
	if len(r.Versions) == 1 {
		return strings.TrimSpace(of + " " + first)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s to %s (%d versions)", of, first, last, len(r.Versions)))
}

// steps are a table with a row for each version and unit, or a sentence.
func steps(r *history.Record, list []history.Step) string {
	if len(r.Versions) == 1 {
		return "One version alone: there is nothing to compare it with.\n"
	}
	var b strings.Builder
	if takes := r.RoundsForSteps(); r.Done < takes {
		fmt.Fprintf(&b, "Too few rounds to find steps of times: it takes %d, and %d are complete. Counts were compared.\n", takes, r.Done)
	}
	if len(list) == 0 {
		b.WriteString("No step was found.\n")
		return b.String()
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "since\twhat\tbefore\tsince then\tchange (95 %)\tby chance\tin\talso changed")
	for _, g := range grouped(r, list) {
		s := g[0]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Version(), s.Unit,
			figure(s.From), figure(s.To), change(s), chance(s), cases(g), strings.Join(s.Also, "; "))
	}
	w.Flush() // a strings.Builder takes everything
	return b.String()
}

// grouped puts together what a version changed of a unit in several cases, the largest
// change first. The newest version comes first.
func grouped(r *history.Record, list []history.Step) (groups [][]history.Step) {
	for _, s := range list {
		i := slices.IndexFunc(groups, func(g []history.Step) bool { return g[0].Version() == s.Version() && g[0].Unit == s.Unit })
		if i < 0 {
			groups = append(groups, []history.Step{s})
		} else {
			groups[i] = append(groups[i], s)
		}
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b history.Step) int { return cmp.Compare(size(b), size(a)) })
	}
	slices.SortStableFunc(groups, func(a, b []history.Step) int {
		return cmp.Or(
			slices.Index(r.Versions, b[0].Version())-slices.Index(r.Versions, a[0].Version()),
			cmp.Compare(size(b[0]), size(a[0])),
		)
	})
	return groups
}

func size(s history.Step) float64 { return math.Abs(s.Change.Value) }

// cases names the case whose figures are shown, and says how many others there are.
func cases(g []history.Step) string {
	name := strings.TrimPrefix(g[0].Name.Full, "Benchmark")
	if len(g) > 1 {
		name += fmt.Sprintf(" and %d more", len(g)-1)
	}
	return name
}

func figure(v float64) string { return fmt.Sprintf("%.4g", v) }

func change(s history.Step) string {
	if s.Scale == pairs.Absolute { // it was 0 before
		return fmt.Sprintf("%+.3g", s.Change.Value)
	}
	return fmt.Sprintf("%+.1f %% [%+.1f, %+.1f]", 100*s.Change.Value, 100*s.Change.Low, 100*s.Change.High)
}

func chance(s history.Step) string {
	if s.Chance == 0 {
		return "counted"
	}
	return fmt.Sprintf("%.2g", s.Chance)
}
