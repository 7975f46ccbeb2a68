package spread

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var times = Unit{
	Read:  func(text string) (int64, error) { d, err := time.ParseDuration(text); return int64(d), err },
	Write: func(v int64) string { return time.Duration(v).String() },
	Most:  int64(time.Minute),
}

// TestCallsTakeWhatIsNominal: 100,000 calls have the mean, the median and the p99 of the
// formulas within 1 %.
func TestCallsTakeWhatIsNominal(t *testing.T) {
	for _, c := range []struct {
		text           string
		mean, p50, p99 float64
	}{
		{"mix:150us-90_2ms-9_20ms-1", 515e3, 150e3, 2e6},
		{"150us:90_2ms:9_20ms:1", 515e3, 150e3, 2e6},
		{"1ms", 1e6, 1e6, 1e6},
		{"mix:1ms-99.99_1s-0.01", 1.0999e6, 1e6, 1e6},
		{"exponential:1ms", 1e6, 1e6 * math.Ln2, 1e6 * math.Log(100)},
		{"lognormal:1ms:3", 1e6 * math.Exp(math.Pow(math.Log(3), 2)/2), 1e6, 1e6 * math.Pow(3, 2.3263479)},
		{"lognormal:1ms:10", 1e6 * math.Exp(math.Pow(math.Log(10), 2)/2), 1e6, 1e6 * math.Pow(10, 2.3263479)},
		{"pareto:1ms:1.5", 3e6, 1e6 * math.Pow(2, 1/1.5), 1e6 * math.Pow(100, 1/1.5)},
	} {
		s, err := Read(c.text, times)
		require.NoError(t, err)
		sum := 0.0
		for n := range uint64(100_000) {
			sum += float64(s.At(n))
		}
		assert.InEpsilon(t, c.mean, sum/100_000, 0.001, c.text)
		assert.InEpsilon(t, c.mean, s.Mean(), 0.001, c.text)
		assert.InEpsilon(t, c.p50, s.Quantile(0.5), 0.01, c.text)
		assert.InEpsilon(t, c.p99, s.Quantile(0.99), 0.01, c.text)
		again, err := Read(c.text, times)
		require.NoError(t, err)
		assert.Equal(t, s, again, "the order is the same")
		assert.Equal(t, s.Sum(), again.Sum())
	}
}

// TestAFactorMultipliesEachValue: a server that is ten times slower has the order of the others.
func TestAFactorMultipliesEachValue(t *testing.T) {
	for _, text := range []string{"1ms", "150us:90_2ms:9_20ms:1", "lognormal:1ms:3"} {
		one, err := Read(text, times)
		require.NoError(t, err)
		ten, err := Read("10x:"+text, times)
		require.NoError(t, err)
		half, err := Read("0.5x:"+text, times)
		require.NoError(t, err)
		for n := range uint64(100) {
			assert.Equal(t, 10*one.At(n), ten.At(n))
			assert.Equal(t, (one.At(n)+1)/2, half.At(n))
		}
		assert.Equal(t, "10x:"+text, ten.String())
	}
}

func TestDescribe(t *testing.T) {
	for text, want := range map[string]string{
		"10x:1ms":               "10ms",
		"150us:90_2ms:9_20ms:1": "150us:90_2ms:9_20ms:1: mean 515µs, p50 150µs, p99 2ms, largest 20ms, sequence 89dfa2323bd40b15",
	} {
		s, err := Read(text, times)
		require.NoError(t, err)
		assert.Equal(t, want, s.Describe(times.Write))
	}
}

// TestTheOrderIsShuffled: neighbours are not alike, as they would be in a sorted table.
func TestTheOrderIsShuffled(t *testing.T) {
	s, err := Read("exponential:1ms", times)
	require.NoError(t, err)
	above := 0
	for n := range uint64(1000) {
		if s.At(n) < s.At(n+1) {
			above++
		}
	}
	assert.InDelta(t, 500, above, 60)
}

func TestFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "times")
	require.NoError(t, os.WriteFile(name, []byte("# of a day\n1ms\n\n2ms\n 6ms\n"), 0o666))
	s, err := Read("file:"+name, times)
	require.NoError(t, err)
	assert.EqualValues(t, 3e6, s.Mean())
	assert.EqualValues(t, 6e6, s.Largest())
	assert.Equal(t, s.At(1), s.At(4))
	require.NoError(t, os.WriteFile(name, []byte("1ms\n3"), 0o666))
	_, err = Read("file:"+name, times)
	assert.EqualError(t, err, "file:"+name+`: line 2: time: missing unit in duration "3"`)
	require.NoError(t, os.WriteFile(name, nil, 0o666))
	_, err = Read("file:"+name, times)
	assert.EqualError(t, err, "file:"+name+": it has no value")
}

func TestWhatIsNoDistribution(t *testing.T) {
	for _, c := range []struct{ about, text, say string }{
		{"a kind that there is not", "normal:1ms", `normal:1ms: it is no distribution: mix:, exponential:, lognormal:, pareto: and file: are`},
		{"shares that are too few", "mix:1ms-90_2ms-9", "mix:1ms-90_2ms-9: the shares sum up to 99 per cent, and must sum up to 100"},
		{"shares that are too many", "mix:1ms-90_2ms-11", "mix:1ms-90_2ms-11: the shares sum up to 101 per cent, and must sum up to 100"},
		{"no share", "mix:1ms", `mix:1ms: "1ms" must be a value and its share in per cent, as in 1µs-90`},
		{"a share of nothing", "mix:1ms-100_2ms-0", `mix:1ms-100_2ms-0: the share "0" must be more than 0 and at most 100 per cent`},
		{"a share that is too fine", "mix:1ms-99.999_2ms-0.001", "mix:1ms-99.999_2ms-0.001: the share 99.999 has more than two digits behind the point"},
		{"a value", "mix:1-90_2ms-10", `mix:1-90_2ms-10: time: missing unit in duration "1"`},
		{"a mean of no time", "exponential:0s", "exponential:0s: the mean must be more than 0"},
		{"a median alone", "lognormal:1ms", "lognormal:1ms: it must be the median and the factor by which the values spread, as in 1µs:3"},
		{"a factor that spreads nothing", "lognormal:1ms:1", "lognormal:1ms:1: it must be the median and the factor by which the values spread, more than 0 and from over 1 to 100"},
		{"an exponent without a mean", "pareto:1ms:1", "pareto:1ms:1: it must be the least value and the exponent, more than 0 and from over 1 to 100"},
		{"no number", "pareto:1ms:NaN", "pareto:1ms:NaN: it must be the least value and the exponent, more than 0 and from over 1 to 100"},
		{"values that are too large", "pareto:1ms:1.01", "pareto:1ms:1.01: its values must be from 0s to 1m0s"},
		{"a value below 0", "mix:-1s-100", "mix:-1s-100: its values must be from 0s to 1m0s"},
		{"a factor that is no number", "tenx:1ms", `tenx:1ms: the factor "tenx" must be more than 0x and at most 1000x`},
		{"a factor of nothing", "0x:1ms", `0x:1ms: the factor "0x" must be more than 0x and at most 1000x`},
		{"a factor that makes values too large", "10x:7s", "10x:7s: its values must be from 0s to 1m0s"},
		{"a file that is not there", "file:gone", "file:gone: open gone: no such file or directory"},
	} {
		_, err := Read(c.text, times)
		assert.EqualError(t, err, c.say, c.about)
	}
}
