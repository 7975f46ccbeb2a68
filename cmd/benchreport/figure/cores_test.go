package figure

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// scaled are two rounds of a framework that has lost a share of each core at the second.
func scaled(name string, loss float64, cores ...string) (list []lines.Line) {
	for range 2 {
		for _, n := range cores {
			var number float64
			fmt.Sscan(n, &number)
			rate := 1000 * number / (1 + loss*(number-1))
			list = append(list, values("Echo/framework="+name+"/size=1KiB/conc=100/cores="+n, "calls/s", rate, "client-cpu-ns/op", 2000., "server-cpu-ns/op", 1000+1000*loss*number, "client-busy-%", 50.))
		}
	}
	return list
}

func TestWhoScales(t *testing.T) {
	r := report(append(scaled("slow", .5, "1", "2", "4", "8"), scaled("fast", .01, "1", "2", "4", "8", "16-shared")...)...)
	s := section(t, r, "cores")
	require.Len(t, s.Panels, 1)
	assert.Equal(t, "Echo, 1KiB, 100 callers", s.Panels[0].Name)
	require.Len(t, s.Figures, 2, "no line has p99-ns")
	got := s.Figures[0].Charts[0]
	assert.Equal(t, []chart.Tick{{At: 1, Name: "1"}, {At: 2, Name: "2"}, {At: 4, Name: "4"}, {At: 8, Name: "8"}, {At: 16, Name: "16-shared"}}, got.Ticks)
	assert.Len(t, got.Series[1].Points, 5)
	require.Len(t, r.TablesOf("cores"), 1)
	fit := r.TablesOf("cores")[0]
	assert.Equal(t, "Fit: Echo, 1KiB, 100 callers", fit.Title)
	assert.Equal(t, [][]string{
		{"fast", "1000 (1000–1000)", "1.00 (1.00–1.00)", "0.000 (0.000–0.000)", "–", "0.0"},
		{"slow", "1000 (1000–1000)", "50.00 (50.00–50.00)", "0.000 (0.000–0.000)", "–", "0.0"},
	}, fit.Rows, "who keeps most is first")
	require.Len(t, r.Tables, 1)
	assert.Equal(t, []string{"framework", "cores", "calls/s", "p50 ms", "p99 ms", "p99.9 ms", "CPU µs", "client CPU µs", "server CPU µs", "client busy %"}, r.Tables[0].Head)
	assert.Equal(t, []string{"fast", "16-shared", "13913", "143", "–", "–", "3.16", "2", "1.16", "50"}, r.Tables[0].Rows[8])
	assert.Empty(t, r.Rankings, "rows of several cores are in no ranking")
}

// TestWhatIsNotFitted: too few points, points that are shared, and offered rates.
func TestWhatIsNotFitted(t *testing.T) {
	for _, c := range []struct {
		about string
		list  []lines.Line
		fits  int
		why   string
	}{
		{"three points", scaled("a", .1, "1", "2", "4"), 0, "3 numbers of cores are too few for a fit, which takes 4; those that the client shares do not count"},
		{"four, of which one is shared", scaled("a", .1, "1", "2", "3", "4-shared"), 0, "3 numbers of cores are too few for a fit, which takes 4; those that the client shares do not count"},
		{"shared alone", scaled("a", .1, "2-shared"), 0, "0 numbers of cores are too few for a fit, which takes 4; those that the client shares do not count"},
		{"one of two frameworks", append(scaled("a", .1, "1", "2"), scaled("b", .1, "1", "2", "3", "4")...), 1, ""},
		{"what is offered is no throughput", []lines.Line{values("Rate/framework=a/size=1KiB/rate=1000/cores=1", "calls/s", 1000., "p50-ns", 1e6)}, 0, ""},
		{"no cores", []lines.Line{calls("Echo/framework=a/conc=1", 1)}, 0, ""},
	} {
		r := report(c.list...)
		fits := r.TablesOf("cores")
		assert.Len(t, fits, c.fits, c.about)
		if c.fits > 0 {
			assert.Contains(t, fits[0].Note, " a is not fitted: 2 numbers of cores are too few for a fit, which takes 4.", c.about)
		}
		absent := Absent{"A fit of who scales", c.why}
		if c.why != "" {
			assert.Contains(t, r.Absent, absent, c.about)
		} else {
			assert.NotContains(t, fmt.Sprint(r.Absent), absent.Title, c.about)
		}
	}
}

// TestAPeakIsToldIfItIsKnown, by the interval of what makes one.
func TestAPeakIsToldIfItIsKnown(t *testing.T) {
	var list []lines.Line
	for i, n := range []float64{1, 2, 4, 8, 16} {
		for _, noise := range []float64{.995, 1, 1.005} {
			list = append(list, values(fmt.Sprintf("Echo/framework=a/conc=9/cores=%d", 1<<i), "calls/s", noise*1000*n/(1+.1*(n-1)+.01*n*(n-1))))
		}
	}
	fits := report(list...).TablesOf("cores")
	require.Len(t, fits, 1)
	assert.InDelta(t, 9.5, numberOf(t, fits[0].Rows[0][4]), .3, "√((1−0.1)/0.01)")
}

func numberOf(t *testing.T, text string) (x float64) {
	_, err := fmt.Sscan(text, &x)
	require.NoError(t, err, text)
	return x
}
