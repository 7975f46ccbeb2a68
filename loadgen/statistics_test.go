//go:build !race

// The race detector slows these simulations tenfold, and finds nothing here that it does
// not find in TestRandomConfigurations, which runs the same code in real time.

package loadgen

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestFrozenServer compares with the formulas for a server with period P that
// is frozen for F, service s, rate λ and ρ = λs. With one queue, the share q
// of calls respond within R(q) = F+s−(1−q)(1−ρ)P; without,
// R(q) = F+2s−(1−q)P.
func TestFrozenServer(t *testing.T) {
	const period, freeze, service = 2 * time.Second, 200 * time.Millisecond, 100 * time.Microsecond
	for _, c := range []struct {
		name string
		fifo bool
		rate float64
	}{
		{"one queue, a tenth busy", true, 1000},
		{"one queue, half busy", true, 5000},
		{"no queue", false, 1000},
		{"no queue, more calls", false, 5000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := Config{Workers: 2000, Schedule: Constant(c.rate), Duration: 5 * period, RuntimeTimers: true}
			server := simulated{period: period, freeze: freeze, fifo: c.fifo, service: fixed(service)}
			res := simulate(t, cfg, server)
			assert.EqualValues(t, c.rate*cfg.Duration.Seconds(), res.OK)
			for _, q := range []float64{.95, .99, .999} {
				want := freeze + 2*service - time.Duration((1-q)*float64(period))
				if c.fifo {
					rho := c.rate * service.Seconds()
					want = freeze + service - time.Duration((1-q)*(1-rho)*float64(period))
				}
				assert.InDelta(t, want, res.Response.Quantile(q), float64(want)*.001+float64(service), "p%v", q*100)
			}
		})
	}
}

// TestCoordinatedOmission shows what a closed loop measures of the same server.
func TestCoordinatedOmission(t *testing.T) {
	t.Parallel()
	server := simulated{period: 2 * time.Second, freeze: 200 * time.Millisecond, fifo: true, service: fixed(100 * time.Microsecond)}
	res := simulate(t, Config{Workers: 1, Schedule: ClosedLoop, Duration: 20 * time.Second, RuntimeTimers: true}, server)
	assert.InEpsilon(t, 100*time.Microsecond, res.Response.Quantile(.99), .001, "the truth at 1000/s is 182 ms")
}

// TestMM1 compares with the response times of an M/M/1 queue, which are
// exponential with rate μ−λ.
func TestMM1(t *testing.T) {
	t.Parallel()
	const lambda, mu = 500.0, 1000.0
	random := rand.New(rand.NewPCG(1, 1))
	server := simulated{fifo: true, service: func() time.Duration { return time.Duration(random.ExpFloat64() / mu * 1e9) }}
	res := simulate(t, Config{Workers: 1000, Schedule: Poisson(lambda, 2), Calls: 50_000, RuntimeTimers: true}, server)
	want := math.Log(100) / (mu - lambda) * 1e9
	assert.InDelta(t, want, float64(res.Response.Quantile(.99)), want*.001+1e9/mu)
	assert.InDelta(t, 1e9/(mu-lambda), float64(res.Response.Mean()), 1e9/mu*.1)
}
