//go:build !race

package capacity

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var figures = regexp.MustCompile(`^p[0-9.]+ (more than )?(\S+), (\S+) % over (\S+?)[,;]?( |$)`)

// agree checks that the percentile in a sentence is over the latency if more calls are late than
// may be, and only then.
func agree(t *testing.T, why string, quantile float64, about string) (over bool) {
	t.Helper()
	m := figures.FindStringSubmatch(why)
	require.NotNil(t, m, "%s: %s", about, why)
	p, err := time.ParseDuration(m[2])
	require.NoError(t, err)
	latency, err := time.ParseDuration(m[4])
	require.NoError(t, err)
	share, err := strconv.ParseFloat(m[3], 64)
	require.NoError(t, err)
	over = p > latency || m[1] != "" && p == latency
	assert.Equal(t, over, share > 100*(1-quantile), "%s: %s", about, why)
	return over
}

// TestProbesAgreeWithThemselves in searches of many queues and objectives.
func TestProbesAgreeWithThemselves(t *testing.T) {
	both := [2]int{}
	for _, quantile := range []float64{.5, .9, .99, .999} {
		for i, c := range queues {
			latency := c.slo + []time.Duration{0, 1409, -100_003}[i%3]
			random := rand.New(rand.NewPCG(uint64(latency), 5))
			q := &computed{service: c.service(random)}
			s := Config{Workers: 500, Quantile: quantile, Latency: latency, ProbeTime: time.Second, ErrorRate: .001}
			l, err := Find(t.Context(), s, q.run)
			if l == nil {
				require.ErrorContains(t, err, "even for one caller alone it is")
				continue
			}
			about := fmt.Sprintf("%s, p%v ≤ %v", c.name, 100*quantile, latency)
			for _, p := range l.Probes {
				over := agree(t, p.Why, quantile, about)
				assert.Equal(t, over, !p.Holds, "%s: %s", about, p)
				assert.Equal(t, over, p.share > 1-quantile, "%s: %s", about, p)
				if over {
					both[0]++
				} else {
					both[1]++
				}
			}
			assert.True(t, l.Low <= l.Rate && l.Rate <= l.High, about)
			assert.NotContains(t, l.String(), "%!", about)
		}
	}
	assert.Greater(t, min(both[0], both[1]), 50, "probes of both kinds")
}

// TestProbesAtTheirObjective: a histogram and a sentence round, the verdict does not.
func TestProbesAtTheirObjective(t *testing.T) {
	for _, latency := range []time.Duration{10 * time.Millisecond, 10*time.Millisecond + 3, 1_000_499, 1_001_499, 9_999_600, 999_999, 34_567_891, time.Second - 1} {
		for _, at := range []time.Duration{latency / 2, latency - 1, latency, latency + 1, latency + latency/2048, latency + latency/1000, 3 * latency} {
			for _, late := range []int64{0, 9_999, 10_000, 10_001, 500_000, 1_000_000} {
				j := &judge{Config: Config{Quantile: .99, Latency: latency, ErrorRate: .01}.withDefaults(), rate: 4e6}
				all := new(loadgen.Histogram)
				all.Record(at, late)
				all.Record(latency/3, 1_000_000-late)
				for i := range 24 {
					_ = j.onProgress(loadgen.Progress{Elapsed: time.Duration(i+1) * j.Batch, Last: loadgen.Point{OK: 1_000_000}, Responses: all})
				}
				j.decide(true)
				p := j.verdict(new(loadgen.Result))
				over := agree(t, p.Why, .99, latency.String())
				assert.Equal(t, over, !p.Holds, p.Why)
			}
		}
	}
}

// TestBoundsEncloseTheRate also where certain verdicts contradict each other.
func TestBoundsEncloseTheRate(t *testing.T) {
	f := &finder{Config: Config{Quantile: .99}, holds: 1000, fails: 1010}
	for _, p := range []Probe{{Rate: 1000, Holds: true}, {Rate: 1010}, {Rate: 900, Certain: true}, {Rate: 1100, Holds: true, Certain: true}} {
		p.odds = math.Inf(-1)
		f.Probes = append(f.Probes, p)
	}
	f.conclude()
	assert.Equal(t, []float64{1005, 1005, 1005}, []float64{f.Low, f.Rate, f.High})
}

func TestSentenceOfACapacity(t *testing.T) {
	inf := math.Inf(1)
	for want, r := range map[string]Result{
		"p99 ≤ 5ms is met up to 3661 calls/s, from 3600 to 3720 in 95 of 100 searches (2 probes)": {Objective: "p99 ≤ 5ms", Rate: 3661, Low: 3600, High: 3720, Probes: make([]Probe, 2)},
		"p99 ≤ 5ms is met up to 3661 calls/s or more (1 probe)":                                   {Objective: "p99 ≤ 5ms", Rate: 3661, Low: 3600, High: inf, Probes: make([]Probe, 1)},
		"p99 ≤ 5ms was met at 3661 calls/s, and at which other rates is not known (3 probes)":     {Objective: "p99 ≤ 5ms", Rate: 3661, High: inf, Probes: make([]Probe, 3)},
		"no rate that meets p99 ≤ 5ms was found (3 probes)":                                       {Objective: "p99 ≤ 5ms", High: 10, Probes: make([]Probe, 3)},
		"no rate that meets the objective was found (0 probes)\nwarning: a\\nb":                   {Warnings: []error{errors.New("a\nb")}},
	} {
		assert.Equal(t, want, fmt.Sprint(r))
		assert.Equal(t, want, fmt.Sprint(&r))
	}
	assert.Equal(t, "<nil>", fmt.Sprint((*Result)(nil)), "beside an error")
}
