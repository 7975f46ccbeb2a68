package history

import (
	"math"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// How steps of times are found. All versions are measured in each round, one after
// another, so a round is a block: a slow phase of the machine is in all of its figures.
// The figures are logarithms, from each of which the mean of its round is taken.
//
// Of each way to cut out neighbouring versions, the difference d between the mean of
// these n versions and that of the m others is taken, over all rounds, in standard
// deviations of what chance makes of it:
//
//	z = |d| / sqrt((s²/R + l²) · (1/n + 1/m))
//
// with R rounds, s by which a process differs from round to round, and l by which
// programs differ whose source does not matter: code lies at other addresses, in all
// rounds. Rounds in which processes differ more, since the machine had other work, count
// less: a round's weight is the inverse of its variance, of all series together, as if
// alike degrees of freedom said besides that it is like the others. The part with the
// largest z is cut out if it is above a bound, and then each piece is searched the same
// way. A part that ends with the newest version is one step, any other part is two: a
// release that is slower and the next one that is not. This is
// circular binary segmentation (A. B. Olshen, E. S. Venkatraman, R. Lucito and M. Wigler,
// Biostatistics 5, 2004, 557–572). Binary segmentation (A. J. Scott and M. Knott,
// Biometrics 30, 1974, 507–512) has no parts but the last one, and overlooks a single
// release between others. In the end each cut is looked at alone, between the cut before
// and the next one: it stays if z is above the bound there as well and the change is
// leastChange or more.
//
// The bound is of the whole record. In each of 1,999 draws the order of what remains of
// the figures, without the mean of their version, is shuffled within every round (E. J. G.
// Pitman, Biometrika 29, 1938, 322–335; of what remains: C. J. F. ter Braak, 1992), in the
// same way for all series, so that those that go together do so in the draws; each
// version of a series gets a shift that is normal with the deviation l; s is computed
// anew. The bound is what the largest z of all series exceeds in one draw of 200 (P. H.
// Westfall and S. S. Young, Resampling-Based Multiple Testing, 1993). So a record in which
// nothing changes has any step of a time with a probability of 1 % at most.
//
// In simulations (steps_simulation_test.go: four cases with three units each, processes
// that differ by 6 %, layouts by 1 %, one process in 50 that takes half as long again),
// 0.8 % or less of the records without a step had one, by versions and rounds. Of steps in the CPU time of one case,
// among 12 versions, there were found, within one version of their place:
//
//	rounds   change   at any version   at the newest
//	  10       5 %         10 %              1 %
//	  10      10 %         81 %             28 %
//	  10      20 %        100 %             99 %
//	  20       5 %         34 %              4 %
//	  20      10 %         96 %             73 %
//	  20      20 %        100 %            100 %
//
// On a machine with other work, where processes differ by 10 % and rounds of 7 to 16 % are
// usual, 20 rounds find 7 of 10 steps of 10 %.
//
// What it takes for granted: that l is 1 % or, with forScatter versions or more, what
// neighbouring versions differ by. If layouts of fewer versions differ by more, there are
// more steps of nothing. And that no more than half of the versions have a step: a unit
// that goes up and down with every release has none.
const (
	promised    = 0.01
	level       = promised / 2 // the other half is for what is estimated: s, l, and the bound
	leastChange = 0.05         // as benchdiff, which calls less no change
	// layout is the least l. Two programs of the same source then differ by 1.1 % on
	// average, and 1 pair of 20 by more than 2.8 %.
	layout = 0.01
	// fewest is the number of rounds that an interval of pairs.Usual takes.
	fewest = 6
)

func timedSteps(all []Series) (list []Step) {
	family := familyOf(all)
	if len(family) == 0 {
		return nil
	}
	largest := null(family)
	bound := largest[int(math.Ceil((1-level)*(draws+1)))-1]
	for _, t := range family {
		list = append(list, t.steps(bound, largest)...)
	}
	return list
}

// familyOf are the series in which steps are looked for.
func familyOf(all []Series) (family []timed) {
	cases := casesOf(all)
	for _, s := range all {
		if s.testable() && len(s.Values) >= fewestRounds(len(s.Versions), cases) {
			family = append(family, timedOf(s))
		}
	}
	weigh(family)
	usual := max(layout*layout, usualLayout(family))
	for i := range family {
		family[i].layout = math.Sqrt(family[i].layoutOr(usual))
	}
	return family
}

// testable reports whether a series is timed, has two versions, and has logarithms.
func (s Series) testable() bool {
	return KindOf(s.Unit) == Timed && len(s.Versions) > 1 && slices.Min(slices.Concat(s.Values...)) > 0
}

// casesOf is the number of cases in which steps are looked for.
func casesOf(all []Series) int {
	cases := map[string]bool{}
	for _, s := range all {
		if s.testable() {
			cases[s.Name.Full] = true
		}
	}
	return len(cases)
}

// fewestRounds is how many rounds R it takes. That one version of V has the highest
// figure of all rounds, or the lowest of all, is 2/V^R by chance; of the cases together
// it must not be more than promised. Units of a case go together and count once.
func fewestRounds(versions, cases int) int {
	return max(fewest, int(math.Ceil(math.Log(2*float64(cases)/promised)/math.Log(float64(versions)))))
}

// RoundsForSteps is the number of complete rounds that it takes to look for steps in all
// timed series of the record; 0 if none has two versions. Series with fewer rounds, of
// which Done may be the reason or Series.Dropped, have no steps, whatever their figures.
func (r *Record) RoundsForSteps() (rounds int) {
	all := r.Series()
	cases := casesOf(all)
	for _, s := range all {
		if s.testable() {
			rounds = max(rounds, fewestRounds(len(s.Versions), cases))
		}
	}
	return rounds
}

// steps finds the steps of a series, by the bound and the largest z of the draws.
func (t timed) steps(bound float64, largest []float64) []Step {
	deviation := t.deviation(t.variance)
	s := segments{contrastsOf(t.effects), bound * deviation, math.Log1p(leastChange)}
	cuts := s.keep(s.find(0, len(t.effects)))
	list := t.Series.steps(cuts, timedChange)
	for i := range list {
		_, z := s.at(cuts, i)
		list[i].Chance = chance(z/deviation, largest)
	}
	return list
}

// chance is the share of draws with a z that is as large; the measured one counts as a
// draw, so it is 1/2000 at least.
func chance(z float64, largest []float64) float64 {
	i, _ := slices.BinarySearch(largest, z)
	return float64(len(largest)-i+1) / float64(len(largest)+1)
}

// timedChange compares the geometric means that versions have in each round.
func timedChange(before, after [][]float64) (pairs.Change, pairs.Scale) {
	return pairs.CompareAt(pairs.Usual, geometric(before), geometric(after), pairs.Relative), pairs.Relative
}

func geometric(rows [][]float64) (means []float64) {
	for _, row := range logarithms(rows) {
		means = append(means, math.Exp(meanOf(row)))
	}
	return means
}
