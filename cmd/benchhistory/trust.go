package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// trust says what speaks against a record: rounds that are missing, what its processes
// noted, and how far the reference has moved since the record before.
func trust(r *history.Record, all []*history.Record) string {
	var b strings.Builder
	if r.Done < r.Rounds {
		fmt.Fprintf(&b, "It is not complete: %d of %d rounds; the same command goes on with it.\n", r.Done, r.Rounds)
	}
	for _, n := range noted(r.Notes) {
		fmt.Fprintf(&b, "In %s: %s: %s\n", n.versions(), strings.TrimPrefix(n.of, "Benchmark"), n.text)
	}
	if before := previous(r, all); before != nil {
		b.WriteString(drift(before, r))
	}
	return b.String()
}

// note is what several versions said of a case.
type note struct {
	of, text string
	by       []string
}

func (n note) versions() string {
	if len(n.by) > 3 {
		return fmt.Sprintf("%d versions", len(n.by))
	}
	return strings.Join(n.by, ", ")
}

// mostNotes is how many are shown: a reader looks the others up in the record.
const mostNotes = 5

// noted are notes of a case with the same words, figures left out.
func noted(all []history.Note) (list []note) {
	at := map[[2]string]int{} // by case and words
	for _, one := range all {
		words := [2]string{one.Case, wordsOf(one.Text)}
		i, known := at[words]
		switch {
		case !known && len(list) == mostNotes:
		case !known:
			at[words], list = len(list), append(list, note{one.Case, one.Text, []string{one.Version}})
		case !slices.Contains(list[i].by, one.Version):
			list[i].by = append(list[i].by, one.Version)
		}
	}
	return list
}

var digits = regexp.MustCompile(`[0-9.,]+`)

func wordsOf(text string) string { return strings.Trim(digits.ReplaceAllString(text, "0"), " ") }

// previous is the last record before this one of the same machine, as it was set up then,
// reference and arguments.
func previous(r *history.Record, all []*history.Record) (last *history.Record) {
	for _, other := range all {
		if other.Run.Before(r.Run) && other.Reference == r.Reference && slices.Equal(other.Arguments, r.Arguments) && sameMachine(other, r) {
			last = other
		}
	}
	return last
}

func sameMachine(a, b *history.Record) bool {
	if slices.ContainsFunc(history.MachineKeys(), func(key string) bool { return a.Machine[key] != b.Machine[key] }) {
		return false
	}
	words := history.Conditions([]*history.Record{a, b})
	return words[0] == words[1]
}

// drift says by how much the CPU time of the reference differs from an earlier record.
func drift(before, now *history.Record) string {
	var ratios []float64
	was := reference(before)
	for name, cpu := range reference(now) {
		if was[name] > 0 {
			ratios = append(ratios, cpu/was[name])
		}
	}
	if len(ratios) == 0 {
		return ""
	}
	return fmt.Sprintf("The reference, which never changes, takes %.2f to %.2f times the CPU that it took on %s: smaller changes between the two records are of the machine.\n",
		slices.Min(ratios), slices.Max(ratios), before.Run.Format("2006-01-02"))
}

// reference has the median CPU time of the reference by case.
func reference(r *history.Record) map[string]float64 {
	of := map[string]float64{}
	for _, s := range r.Series() {
		if values := s.Of(history.Reference); s.Unit == history.CPU && len(values) > 0 {
			of[s.Name.Full] = pairs.Median(values)
		}
	}
	return of
}
