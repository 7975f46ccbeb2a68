package history

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/pairs"
)

const (
	level       = 0.01
	leastChange = 0.05
	layout      = 0.01
	fewest      = 6
	draws       = 1999
	far         = 3.0
	forScatter  = 6
)

// timed is a series with a figure for each version, and what its rounds differ by.
type timed struct {
	Series
	effects  []float64   // the mean logarithm of each version
	rest     [][]float64 // what remains, by round and version
	variance float64     // of rest
	layout   float64     // by how much versions differ without a step
}

func timedSteps(all []Series) (list []Step) {
	family := familyOf(all)
	if len(family) == 0 {
		return nil
	}
	largest := null(family)
	critical := largest[int(math.Ceil((1-level)*float64(draws+1)))-1]
	for _, t := range family {
		list = append(list, t.steps(critical, largest)...)
	}
	return list
}

func familyOf(all []Series) (family []timed) {
	cases := casesOf(all)
	for _, s := range all {
		if s.testable() && len(s.Values) >= fewestRounds(len(s.Versions), cases) {
			family = append(family, timedOf(s))
		}
	}
	return family
}

// casesOf is the number of cases with series in which steps are looked for.
func casesOf(all []Series) int {
	cases := map[string]bool{}
	for _, s := range all {
		if s.testable() {
			cases[s.Name.Full] = true
		}
	}
	return len(cases)
}

// testable reports whether a series is timed, has two versions, and has logarithms.
func (s Series) testable() bool {
	return KindOf(s.Unit) == Timed && len(s.Versions) > 1 &&
		slices.Min(slices.Concat(s.Values...)) > 0
}

// fewestRounds is the number of rounds that it takes to find steps.
func fewestRounds(versions, cases int) int {
	return max(fewest, int(math.Ceil(math.Log(2*float64(cases)/level)/math.Log(float64(versions)))))
}

// RoundsForSteps is the number of complete rounds that it takes to find steps in all
// timed series of the record; 0 if there is none with two versions.
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

func timedOf(s Series) timed {
	t := timed{Series: s}
	logs := make([][]float64, len(s.Values))
	for i, row := range s.Values {
		for _, v := range row {
			logs[i] = append(logs[i], math.Log(v))
		}
	}
	pullIn(logs)
	t.effects, t.rest = center(logs)
	rows, columns := float64(len(logs)), float64(len(t.effects))
	for _, row := range t.rest {
		for i, e := range row {
			t.variance += e * e / (rows - 1) / (columns - 1)
			row[i] = e * math.Sqrt(rows/(rows-1))
		}
	}
	t.layout = t.scatter()
	return t
}

// pullIn replaces values that lie far off.
func pullIn(logs [][]float64) {
	effects, rest := centerAt(logs, medianOf)
	var sizes []float64
	for _, row := range rest {
		for _, e := range row {
			sizes = append(sizes, math.Abs(e))
		}
	}
	most := far * medianOf(sizes) / 0.6745
	for i, row := range rest {
		for j, e := range row {
			logs[i][j] += min(max(e, -most), most) - e
		}
	}
	_ = effects
}

func center(logs [][]float64) (effects []float64, rest [][]float64) {
	return centerAt(logs, meanOf)
}

// centerAt takes from each value the middle of its round, and then that of its version.
func centerAt(logs [][]float64, middle func([]float64) float64) (effects []float64, rest [][]float64) {
	rest = make([][]float64, len(logs))
	for i, row := range logs {
		m := middle(row)
		for _, v := range row {
			rest[i] = append(rest[i], v-m)
		}
	}
	effects = make([]float64, len(logs[0]))
	for j := range effects {
		effects[j] = middle(column(rest, j))
		for i := range rest {
			rest[i][j] -= effects[j]
		}
	}
	return effects, rest
}

func column(rows [][]float64, j int) (list []float64) {
	for _, row := range rows {
		list = append(list, row[j])
	}
	return list
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// scatter is the standard deviation of versions without a step.
func (t timed) scatter() float64 {
	if len(t.effects) < forScatter {
		return layout
	}
	var sizes []float64
	for i, e := range t.effects[1:] {
		sizes = append(sizes, math.Abs(e-t.effects[i]))
	}
	s := medianOf(sizes) / 0.6745 / math.Sqrt2
	return math.Sqrt(max(layout*layout, s*s-t.variance/float64(len(t.Values))))
}

// deviation is the standard deviation of one version's figure.
func (t timed) deviation(variance float64) float64 {
	return math.Sqrt(variance/float64(len(t.rest)) + t.layout*t.layout)
}

// null has of each draw the largest of all series, sorted.
func null(family []timed) []float64 {
	largest := make([]float64, draws)
	for d := range largest {
		own := rand.New(rand.NewPCG(uint64(d), 2))
		for _, t := range family {
			order := rand.New(rand.NewPCG(uint64(d), 1)) // the same for all series of a shape
			largest[d] = max(largest[d], t.draw(order, own))
		}
	}
	slices.Sort(largest)
	return largest
}

// draw is the clearest part of one draw.
func (t timed) draw(order, own *rand.Rand) float64 {
	effects, variance := t.shuffled(order)
	for j := range effects {
		effects[j] += t.layout * own.NormFloat64()
	}
	_, _, z := contrastsOf(effects).clearest(0, len(effects))
	return z / t.deviation(variance)
}

// shuffled has the rest of each round in another order.
func (t timed) shuffled(order *rand.Rand) (effects []float64, variance float64) {
	rows, columns := float64(len(t.rest)), float64(len(t.effects))
	effects = make([]float64, len(t.effects))
	places := make([]int, len(effects))
	for _, row := range t.rest {
		for j := range places {
			places[j] = j
		}
		order.Shuffle(len(places), func(a, b int) { places[a], places[b] = places[b], places[a] })
		for j, p := range places {
			effects[j] += row[p] / rows
			variance += row[p] * row[p]
		}
	}
	for _, e := range effects {
		variance -= rows * e * e
	}
	return effects, max(variance, 0) / (rows - 1) / (columns - 1)
}

func (t timed) steps(critical float64, largest []float64) []Step {
	deviation := t.deviation(t.variance)
	s := segments{contrastsOf(t.effects), critical * deviation, math.Log1p(leastChange)}
	cuts := s.keep(s.find(0, len(t.effects)))
	list := t.Series.steps(cuts, timedChange)
	for i := range list {
		_, z := s.at(cuts, i)
		list[i].Chance = chance(z/deviation, largest)
	}
	return list
}

// chance is the share of draws that are as large.
func chance(z float64, largest []float64) float64 {
	i, _ := slices.BinarySearch(largest, z)
	return float64(len(largest)-i+1) / float64(len(largest)+1)
}

// timedChange compares the geometric means of each round.
func timedChange(before, after [][]float64) (pairs.Change, pairs.Scale) {
	base, other := geometric(before), geometric(after)
	return pairs.CompareAt(pairs.Usual, base, other, pairs.Relative), pairs.Relative
}

func geometric(rows [][]float64) (means []float64) {
	for _, row := range rows {
		sum := 0.0
		for _, v := range row {
			sum += math.Log(v)
		}
		means = append(means, math.Exp(sum/float64(len(row))))
	}
	return means
}
