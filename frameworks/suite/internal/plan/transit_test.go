package plan

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// over is a network of this name.
func over(t *testing.T, name string) Network {
	t.Helper()
	n, err := readNetwork(name)
	require.NoError(t, err)
	return n
}

func TestSpeed(t *testing.T) {
	for _, c := range []struct {
		about, network string
		conns, window  int
		want           float64
	}{
		{"nothing limits it", "none", 1, window, math.Inf(1)},
		{"a rate, which headers are a part of", "rate-100mbit", 1, window, 1e8 / 8 * 1448 / 1514},
		{"which connections share", "rate-100mbit", 10, window, 1e8 / 8 * 1448 / 1514},
		{"a window each round trip", "delay-50ms", 1, 64 << 10, 655_360},
		{"of each connection", "delay-50ms", 10, 64 << 10, 6_553_600},
		{"the rate if that is less", "delay-50ms_rate-1mbit", 10, 64 << 10, 1e6 / 8 * 1448 / 1514},
		{"at small losses it falls with their square root", "delay-50ms_loss-0.01%", 1, 1 << 30, 1.7e6},
		{"and with time for what is sent again at larger ones", "delay-5ms_loss-10%", 1, 1 << 30, 77e3},
	} {
		got := over(t, c.network).speed(c.conns, c.window, true)
		if math.IsInf(c.want, 1) {
			assert.True(t, math.IsInf(got, 1), c.about)
		} else {
			assert.InEpsilon(t, c.want, got, .05, c.about)
		}
	}
}

// TestSteadyTCP is expected to carry as much where packets are lost. A watchdog does not
// rely on it.
func TestSteadyTCP(t *testing.T) {
	lossy := Case{Spec: Spec{Workers: 1, Size: 4 << 20, Conns: 1, Servers: 1}, Network: over(t, "delay-50ms_loss-1%"), slows: true}
	steady := lossy
	steady.slows = false
	assert.Greater(t, lossy.Alone(), 50*time.Second)
	assert.Less(t, steady.Alone(), time.Second)
	assert.Equal(t, lossy.Patience(), steady.Patience())
}

func TestTimesOfCases(t *testing.T) {
	const ms, MiB = time.Millisecond, 1 << 20
	for _, c := range []struct {
		about, network      string
		spec                Spec
		alone, carry, after time.Duration // after: to within a second, what a watchdog allows for
	}{
		{"no network", "none", Spec{Workers: 100, Size: MiB}, 0, 0, 0},
		{"a small call takes a round trip", "delay-10ms", Spec{Workers: 1}, 20 * ms, 0, time.Second},
		{"a large one takes its time there, and the reply as much", "delay-10ms_rate-8mbit", Spec{Workers: 1, Size: MiB}, 2213 * ms, 1097 * ms, 10 * time.Second},
		{"unless the two overlap", "delay-10ms_rate-8mbit", Spec{Workers: 1, Size: MiB, Cost: Cost{Overlaps: true}}, 1117 * ms, 1097 * ms, 10 * time.Second},
		{"the larger payload counts", "delay-10ms_rate-8mbit", Spec{Workers: 1, Size: 1, Largest: MiB}, 2213 * ms, 1097 * ms, 10 * time.Second},
		{"or the mean", "delay-10ms_rate-8mbit", Spec{Workers: 1, Largest: MiB, Cost: Cost{Mean: MiB / 8}}, 294 * ms, 137 * ms, 6 * time.Second},
		{"callers share a rate", "rate-8mbit", Spec{Workers: 100, Size: MiB / 8}, 274 * ms, 137 * ms, 55 * time.Second},
		{"a transfer of 256 MiB at 1 Mbit/s", "rate-1mbit", Spec{Workers: 1, Size: 256 * MiB}, 4490 * time.Second, 2245 * time.Second, 17961 * time.Second},
		{"nothing gets through", "loss-100%", Spec{Workers: 1, Size: MiB}, 10000 * time.Second, 5000 * time.Second, 38239 * time.Second},
	} {
		one := Case{Spec: c.spec, Network: over(t, c.network), slows: true}
		one.Conns, one.Servers = 10, 1
		assert.InDelta(t, c.alone, one.Alone(), float64(c.alone)/20, c.about)
		assert.InDelta(t, c.carry, one.Carry(), max(float64(c.carry)/20, float64(ms)), c.about)
		assert.InDelta(t, c.after, one.Patience(), max(float64(c.after)/20, float64(time.Second)), c.about)
	}
}
