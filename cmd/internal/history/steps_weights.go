package history

import (
	"math"
	"slices"
)

// alike is large since weights that chance has made let a mean look steadier than it
// is. With 4 cases of 12 versions, which have 44 degrees of freedom, a round with twice
// the variance of others has 0.63 of their weight, instead of half.
const alike = 30

// timedOf has no layout yet, and all rounds have the same weight.
func timedOf(s Series) timed {
	logs := logarithms(s.Values)
	pullIn(logs)
	t := timed{Series: s, logs: logs}
	return t.weighted(slices.Repeat([]float64{1}, len(logs)))
}

// weighted has means in which rounds have weights, 1 on average. Residuals are multiplied by
// them, so that its mean of all rounds is what chance makes of the figure of a version.
func (t timed) weighted(weights []float64) timed {
	centered := withoutRounds(t.logs)
	t.effects, t.residuals = make([]float64, len(centered[0])), nil
	rows, squares := float64(len(weights)), 0.0
	for i, w := range weights {
		squares += w * w
		for j, v := range centered[i] {
			t.effects[j] += w * v / rows
		}
	}
	// What remains is too small: the means have used up this part of the rounds, one of
	// them if weights are equal.
	larger := math.Sqrt(rows / (rows - squares/rows))
	for i, w := range weights {
		row := make([]float64, len(t.effects))
		for j, v := range centered[i] {
			row[j] = larger * w * (v - t.effects[j])
		}
		t.residuals = append(t.residuals, row)
	}
	t.variance = sumOfSquares(t.residuals...) / rows / float64(len(t.effects)-1)
	return t
}

// withoutRounds takes from each value the mean of its round.
func withoutRounds(logs [][]float64) (centered [][]float64) {
	for _, row := range logs {
		m, left := meanOf(row), make([]float64, len(row))
		for j, v := range row {
			left[j] = v - m
		}
		centered = append(centered, left)
	}
	return centered
}

func sumOfSquares(rows ...[]float64) (sum float64) {
	for _, row := range rows {
		for _, v := range row {
			sum += v * v
		}
	}
	return sum
}

// weigh gives each round the same weight in all series with the same number of rounds.
func weigh(family []timed) {
	of := map[int][]timed{}
	for _, t := range family {
		of[len(t.residuals)] = append(of[len(t.residuals)], t)
	}
	for i, t := range family {
		weights, more := weightsOf(of[len(t.residuals)])
		family[i] = t.weighted(weights)
		family[i].variance *= more
	}
}

// weightsOf are inverse variances of rounds, 1 on average: by what all series say together,
// and alike, which says that a round is like the others.
//
// Variances computed with these weights are too small, by the factor more: a round that is
// steady by chance gets more weight, and the same chance makes its variance small. To the
// first order the factor is 1 plus twice the share of freedom in the weights,
// freedom/(freedom + alike), times the relative variance of a variance, 2/freedom.
func weightsOf(family []timed) (weights []float64, more float64) {
	unrest, freedom := unrestOf(family)
	sum := 0.0
	for _, ratio := range unrest {
		w := (freedom + alike) / (freedom*ratio + alike)
		weights, sum = append(weights, w), sum+w
	}
	for i := range weights {
		weights[i] *= float64(len(weights)) / sum
	}
	return weights, 1 + 4/(freedom+alike)
}

// unrestOf returns the variance of each round divided by that of all rounds, averaged over
// all series. The units of a case are correlated, so a case counts once in freedom, the
// degrees of freedom of a ratio.
func unrestOf(family []timed) (ratios []float64, freedom float64) {
	cases, versions := map[string]bool{}, 0
	ratios = make([]float64, len(family[0].residuals))
	for _, t := range family {
		cases[t.Name.Full], versions = true, max(versions, len(t.Versions))
		all := sumOfSquares(t.residuals...) / float64(len(t.residuals))
		for i, row := range t.residuals {
			ratio := 1.0
			if all > 0 {
				ratio = sumOfSquares(row) / all
			}
			ratios[i] += ratio / float64(len(family))
		}
	}
	return ratios, float64(len(cases) * (versions - 1))
}
