package scaling

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// curve has points of a law, each round of each with noise.
func curve(lambda, sigma, kappa float64, rounds int, noise func() float64, cores ...float64) (points []Point) {
	l := Law{Lambda: Estimate{Value: lambda}, Sigma: Estimate{Value: sigma}, Kappa: Estimate{Value: kappa}}
	for _, n := range cores {
		p := Point{Cores: n}
		for range rounds {
			p.Throughput = append(p.Throughput, l.At(n)*noise())
		}
		points = append(points, p)
	}
	return points
}

func exact() float64 { return 1 }

func TestExactCurves(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		about                      string
		lambda, sigma, kappa, peak float64
		cores                      []float64
	}{
		{"linear", 50_000, 0, 0, inf, []float64{1, 2, 4, 8}},
		{"Amdahl's law", 50_000, .1, 0, inf, []float64{1, 2, 3, 4}},
		{"coherency alone", 3, 0, .01, 10, []float64{1, 2, 4, 8}},
		{"both, beyond the peak", 995.6486, .02671, .000769, 35.576, []float64{1, 4, 8, 16, 32, 48, 64}},
		{"in any order, and without one core", 2e6, .05, .002, 21.794, []float64{16, 2, 8, 4}},
		{"all one after the other", 10, 1, 0, 1, []float64{1, 2, 4, 8}},
		{"slower with each core", 10, .5, 2, 1, []float64{1, 2, 3, 4}},
	} {
		for _, rounds := range []int{1, 3} {
			l, err := Fit(curve(c.lambda, c.sigma, c.kappa, rounds, exact, c.cores...))
			require.NoError(t, err, c.about)
			for _, e := range []struct {
				want float64
				got  Estimate
			}{{1, Estimate{l.Lambda.Value / c.lambda, l.Lambda.Low / c.lambda, l.Lambda.High / c.lambda}}, {c.sigma, l.Sigma}, {c.kappa, l.Kappa}} {
				for _, got := range []float64{e.got.Value, e.got.Low, e.got.High} {
					assert.InDelta(t, e.want, got, 1e-6, "%s: %+v", c.about, l)
				}
			}
			assert.InDelta(t, 0, l.Misfit, 1e-9, c.about)
			if l.Kappa.Value > 1e-9 && !math.IsInf(c.peak, 1) {
				assert.InDelta(t, c.peak, l.Peak(), .001, c.about)
			}
		}
	}
	assert.Equal(t, inf, Law{Sigma: Estimate{Value: .1}}.Peak(), "a curve that levels off")
	assert.InDelta(t, 10, Law{Sigma: Estimate{Value: .19}, Kappa: Estimate{Value: .0081}}.Peak(), 1e-9)
}

// TestBounds: curves that rise faster than with the cores, as a cache allows, have neither
// contention nor coherency below 0.
func TestBounds(t *testing.T) {
	l, err := Fit([]Point{{1, []float64{10, 10.1}}, {2, []float64{21, 21.1}}, {4, []float64{44, 44.3}}, {8, []float64{90, 91}}})
	require.NoError(t, err)
	assert.Zero(t, l.Sigma.Value)
	assert.Zero(t, l.Kappa.Value)
	assert.Zero(t, l.Sigma.Low)
	assert.InDelta(t, .08, l.Misfit, .04)
	l, err = Fit([]Point{{1, []float64{10}}, {2, []float64{19}}, {4, []float64{38}}, {8, []float64{50}}})
	require.NoError(t, err)
	assert.Zero(t, l.Sigma.Value, "what falls late is coherency")
	assert.Greater(t, l.Kappa.Value, 0.)
	assert.GreaterOrEqual(t, l.Kappa.High, l.Kappa.Value)
}

func TestTooFewPoints(t *testing.T) {
	for _, c := range []struct {
		about  string
		points []Point
		say    string
	}{
		{"none", nil, "0 numbers of cores are too few for a fit, which takes 4"},
		{"three", curve(1, .1, 0, 6, exact, 1, 2, 4), "3 numbers of cores are too few for a fit, which takes 4"},
		{"equal ones are one", curve(1, .1, 0, 6, exact, 1, 2, 4, 4, 2), "3 numbers of cores are too few for a fit, which takes 4"},
		{"without values", append(curve(1, .1, 0, 6, exact, 1, 2, 4), Point{Cores: 8}), "3 numbers of cores are too few for a fit, which takes 4"},
	} {
		_, err := Fit(c.points)
		assert.EqualError(t, err, c.say, c.about)
	}
}

// TestCoverage: about 95 of 100 intervals hold the truth, and are not wide for no reason.
func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		about        string
		sigma, kappa float64
		rounds       int
		noise        float64 // of a value
		round, point float64 // that all values of a round have, and those of a point
		lowest       [3]float64
		cores        []float64
	}{
		{"two rounds of four points", .05, .002, 2, .02, 0, 0, [3]float64{.92, .92, .92}, []float64{1, 2, 4, 8}},
		{"six rounds of eight", .05, .002, 6, .02, 0, 0, [3]float64{.92, .92, .92}, []float64{1, 2, 3, 4, 6, 8, 12, 16}},
		{"no coherency", .1, 0, 6, .03, 0, 0, [3]float64{.92, .92, .92}, []float64{1, 2, 4, 8}},
		{"linear", 0, 0, 6, .03, 0, 0, [3]float64{.92, .92, .92}, []float64{1, 2, 4, 8}},
		{"one round", .05, .002, 1, .02, 0, 0, [3]float64{.92, .92, .92}, []float64{1, 2, 4, 8, 16}},
		{"rounds of a slow machine, which λ feels", .05, .002, 6, .02, .03, 0, [3]float64{.85, .92, .92}, []float64{1, 2, 4, 8}},
		{"points of which each is off", .05, .002, 6, .005, 0, .03, [3]float64{.85, .85, .85}, []float64{1, 2, 4, 8, 12, 16}},
	} {
		const runs = 1000
		r, held := rand.New(rand.NewPCG(3, 4)), [3]float64{}
		for range runs {
			points, wave := curve(1000, c.sigma, c.kappa, c.rounds, exact, c.cores...), make([]float64, c.rounds)
			for i := range wave {
				wave[i] = 1 + c.round*r.NormFloat64()
			}
			for _, p := range points {
				off := 1 + c.point*r.NormFloat64()
				for i := range p.Throughput {
					p.Throughput[i] *= wave[i] * off * (1 + c.noise*r.NormFloat64())
				}
			}
			l, err := Fit(points)
			require.NoError(t, err)
			for i, e := range []struct {
				Estimate
				truth float64
			}{{l.Lambda, 1000}, {l.Sigma, c.sigma}, {l.Kappa, c.kappa}} {
				if e.Low <= e.truth && e.truth <= e.High {
					held[i] += 1. / runs
				}
				assert.LessOrEqual(t, e.Low, e.Value)
				assert.LessOrEqual(t, e.Value, e.High)
			}
		}
		t.Logf("%s: %.3f", c.about, held)
		for i, share := range held {
			assert.Greater(t, share, c.lowest[i], "%s: parameter %d", c.about, i)
		}
	}
}

func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{1: 12.706, 3: 3.182, 10: 2.228, 11: 2.201, 20: 2.086, 60: 2.000, 1000: 1.962} {
		assert.InDelta(t, want, student(freedom), .01, "%d degrees of freedom", freedom)
	}
}
