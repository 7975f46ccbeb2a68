package site

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// note is what processes said of a case, with the same words: figures left out.
type note struct {
	Text, Case string
	Versions   []string
	Rounds     int
}

// By says who said it.
func (n note) By() string {
	if len(n.Versions) > 3 {
		return amount(len(n.Versions), "version")
	}
	return strings.Join(n.Versions, ", ")
}

var numbers = regexp.MustCompile(`[0-9.,–]+`)

func words(text string) string { return numbers.ReplaceAllString(text, "0") }

// notes returns the notes of the record for which about is true.
func (s *study) notes(about func(history.Note) bool) (list []note) {
	at := map[[2]string]int{} // by case and words
	for _, one := range s.Notes {
		if !about(one) {
			continue
		}
		name := fullCase(lines.ParseName(one.Case))
		key := [2]string{name, words(one.Text)}
		i, known := at[key]
		if !known {
			i, at[key], list = len(list), len(list), append(list, note{Text: one.Text, Case: name})
		}
		list[i].Rounds += one.Rounds
		if v := short(one.Version); !slices.Contains(list[i].Versions, v) {
			list[i].Versions = append(list[i].Versions, v)
		}
	}
	return list
}

// doubts are what a whole record lacks.
func (s *study) doubts() (list []string) {
	if s.Done < s.Rounds {
		list = append(list, fmt.Sprintf("%d of %d rounds are complete.", s.Done, s.Rounds))
	}
	if s.Half > 0 {
		list = append(list, "The record ends in the middle of a round, which is left out.")
	}
	return list
}

// few says that there are too few rounds.
func (s *study) few() (list []string) {
	if takes := s.takes(); !s.enough() {
		list = append(list, fmt.Sprintf("Too few rounds to find steps of CPU or p50: it takes %d, and %d are complete. Counts were compared.", takes, s.Done))
	}
	return list
}

// enough reports whether there are enough rounds to find steps of times.
func (s *study) enough() bool { return s.Done >= s.takes() }

// takes is the number of rounds that it takes to find steps of times; 0 if no time was measured
// in two versions.
func (s *study) takes() int { return s.forSteps }

// unsteady is a scatter of the reference that is worth a word.
const unsteady = 0.1

// moved says that the reference, which never changes, did: a reason not to believe times.
func (s *study) moved(all []*study) (list []string) {
	now := s.reference()
	if worst := scatter(now); worst > unsteady {
		list = append(list, fmt.Sprintf("The machine was unsteady: in one round of ten, the CPU of the reference, which never changes, was %.0f %% or more off its median.", 100*worst))
	}
	before := s.previous(all)
	if before == nil {
		return list
	}
	was := before.reference()
	var ratios []float64
	for name, values := range now {
		if old := was[name]; len(old) > 0 && pairs.Median(old) > 0 {
			ratios = append(ratios, pairs.Median(values)/pairs.Median(old)-1)
		}
	}
	if len(ratios) > 0 && max(-slices.Min(ratios), slices.Max(ratios)) > 0.05 {
		list = append(list, fmt.Sprintf("The reference moved, too: since %s its CPU changed by %s. What changed as much from one record to the other is of the machine.",
			before.Date(), span(slices.Min(ratios), slices.Max(ratios))))
	}
	return list
}

// span are two fractions, or one if they look alike.
func span(low, high float64) string {
	if percent(low) == percent(high) {
		return percent(low) + " %"
	}
	return percent(low) + " to " + percent(high) + " %"
}

// reference has the CPU of the reference in each round, by case.
func (s *study) reference() map[string][]float64 {
	of := map[string][]float64{}
	for _, one := range s.beside {
		if values := one.Of(history.Reference); one.Unit == history.CPU && len(values) > 0 {
			of[one.Name.Full] = values
		}
	}
	return of
}

// scatter is by how much one round of ten is off its median, in the worst case.
func scatter(of map[string][]float64) (worst float64) {
	for _, values := range of {
		m := pairs.Median(values)
		var off []float64
		for _, v := range values {
			off = append(off, math.Abs(v/m-1))
		}
		slices.Sort(off)
		if m > 0 {
			worst = max(worst, off[len(off)*9/10])
		}
	}
	return worst
}

// previous is the last record before this one of the same machine, reference and
// arguments. All are newest first.
func (s *study) previous(all []*study) *study {
	for _, other := range all {
		if other.Run.Before(s.Run) && other.Reference == s.Reference && slices.Equal(other.Arguments, s.Arguments) && other.MachineName() == s.MachineName() {
			return other
		}
	}
	return nil
}

// visible says how small a lasting change of CPU from the version before would have been
// found in a framework's newest release; "" if that cannot be said.
func (s *study) visible(framework string) string {
	var sizes []float64
	for _, list := range s.of(framework) {
		one, has := unitOf(list, history.CPU)
		if n := len(one.Versions); has && n > 1 && len(one.Values) >= pairs.Fewest && pairable(one) {
			c := pairs.Compare(one.Of(one.Versions[n-2]), one.Of(one.Versions[n-1]), pairs.Relative)
			sizes = append(sizes, c.Finds(0.05, pairs.Relative))
		}
	}
	if len(sizes) == 0 {
		return ""
	}
	if low, high := rough(slices.Min(sizes)), rough(slices.Max(sizes)); low != high {
		return low + " to " + high + " %"
	}
	return rough(sizes[0]) + " %"
}

func rough(fraction float64) string { return fmt.Sprintf("%.0f", 100*fraction) }

func pairable(s history.Series) bool { return least(slices.Concat(s.Values...)) > 0 }
