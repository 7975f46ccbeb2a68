package tide

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

const (
	ms     = time.Millisecond
	random = true
)

// read reads one rate.
func read(t *testing.T, text string) *Tide {
	t.Helper()
	list := Split(text)
	require.Len(t, list, 1)
	r, err := Read(list[0])
	require.NoError(t, err)
	return r.Tide
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		about, text string
		want        []string
	}{
		{"commas separate rates", "10000,20000", []string{"10000", "20000"}},
		{"a time at the end makes steps of them", "1000,5000,1000@10s", []string{"1000,5000,1000@10s"}},
		{"rates after steps are their own", "1000,5000@10s,500", []string{"1000,5000@10s", "500"}},
		{"so are rates before a ramp", "500,1000..2000@1s,3000", []string{"500", "1000..2000@1s", "3000"}},
		{"and before bursts", "500,5000~10x100ms/1s/30s", []string{"500", "5000~10x100ms@1s@30s"}},
		{"a slash is as good", "1000..20000/30s,1,2/1s", []string{"1000..20000@30s", "1,2@1s"}},
	} {
		assert.Equal(t, c.want, Split(c.text), c.about)
	}
}

func TestWrongRates(t *testing.T) {
	for _, c := range []struct{ about, text, want string }{
		{"a rate of nothing", "0", `"0" must be a whole number more than 0`},
		{"a step of nothing", "1000,0@10s", `"1000,0@10s": the rate "0" must be a whole number more than 0`},
		{"a rate that is none", "a,1@10s", `"a,1@10s": the rate "a" must be a whole number more than 0`},
		{"steps without a time", "1000,5000@", `"1000,5000@": "" is no time such as 30s`},
		{"steps of no length", "1000,5000@0s", `"1000,5000@0s": a time must be more than 0, and a multiple of 10ms`},
		{"steps whose ends no interval has", "1000,5000@15ms", `"1000,5000@15ms": a time must be more than 0, and a multiple of 10ms`},
		{"one step", "1000@10s", `"1000@10s" is one step: give the rate alone, and how long it lasts by -benchtime`},
		{"a ramp without a time", "1000..2000", `"1000..2000": a ramp takes a time, as in 1000..20000/30s`},
		{"a ramp of no length", "1000..2000@0s", `"1000..2000@0s": a time must be more than 0, and a multiple of 10ms`},
		{"a ramp that goes back in time", "1000..2000@-30s", `"1000..2000@-30s": a time must be more than 0, and a multiple of 10ms`},
		{"a ramp whose time is a number", "1000..2000@30", `"1000..2000@30": "30" is no time such as 30s`},
		{"a ramp too short for phases", "1000..2000@40ms", `"1000..2000@40ms": a ramp takes 50ms or more`},
		{"a ramp from nothing", "0..2000@1s", `"0..2000@1s": the rate "0" must be a whole number more than 0`},
		{"a ramp on level ground", "5..5@1s", `"5..5@1s" goes nowhere: give the rate alone, and how long it lasts by -benchtime`},
		{"bursts without times", "5000~10x", `"5000~10x": bursts take a rate, a factor and two times, as in 5000~10x100ms/1s`},
		{"bursts by no factor", "5000~0x100ms@1s", `"5000~0x100ms@1s": the rate "0" must be a whole number more than 0`},
		{"bursts that are none", "5000~1x100ms@1s", `"5000~1x100ms@1s": a burst of 1x is none`},
		{"bursts without an end", "5000~10x1s@1s", `"5000~10x1s@1s": a burst must be shorter than 1s, after which the next one begins`},
		{"bursts that end within one", "5000~10x100ms@1s@1500ms", `"5000~10x100ms@1s@1500ms": 1.5s is no multiple of 1s, after which the next burst begins`},
		{"calls for days", "1000000,2000000@100h", `"1000000,2000000@100h" has 1.08e+12 calls, and a run may have 100000000`},
	} {
		_, err := Read(c.text)
		assert.EqualError(t, err, c.want, c.about)
	}
}

// TestPhasesAreExact: with even arrivals the calls of each phase are its rate by its time, and
// the first and last of them are due where it begins and ends.
func TestPhasesAreExact(t *testing.T) {
	for _, c := range []struct {
		about, text string
		names       string
		calls       []float64
		window      time.Duration
	}{
		{"steps", "1000,5000,1000/5s", "1of3 2of3 3of3", []float64{5e3, 25e3, 5e3}, 50 * ms},
		{"steps of rates that divide nothing", "333,7001@3s", "1of2 2of2", []float64{999, 21003}, 188 * ms},
		{"slow steps, whose windows are longer", "10,20@20s", "1of2 2of2", []float64{200, 400}, time.Second},
		{"a ramp", "1000..20000/5s", "1of5 2of5 3of5 4of5 5of5", []float64{2900, 6700, 10500, 14300, 18100}, 10 * ms},
		{"a ramp down", "20000..1000/5s", "1of5 2of5 3of5 4of5 5of5", []float64{18100, 14300, 10500, 6700, 2900}, 10 * ms},
		{"bursts", "5000~10x100ms/1s", "burst between", []float64{5e4, 4.5e4}, 10 * ms},
		{"slow bursts, of which six have windows together", "500~4x200ms/1s/6s", "burst between", []float64{2400, 2400}, 20 * ms},
		{"bursts for as long as is said", "5000~10x100ms/1s/2s", "burst between", []float64{1e4, 9e3}, 10 * ms},
	} {
		t.Run(c.about, func(t *testing.T) {
			tide := read(t, c.text)
			var names []string
			for _, p := range tide.Phases {
				names = append(names, p.Name)
			}
			assert.Equal(t, c.names, strings.Join(names, " "))
			assert.Equal(t, c.window, tide.Window().Round(ms))
			assert.NotContains(t, tide.Name, "/")
			again := read(t, tide.Name)
			assert.Equal(t, tide.Phases, again.Phases, "the name is a value of -rate")
			s := tide.Schedule(!random)
			n := tide.Count(s)
			for i, want := range c.calls {
				assert.InEpsilon(t, want, float64(n.Due[i]), .001, i)
			}
			assertDue(t, tide, s, n)
			few := tide.Count(tide.Schedule(random))
			for i, want := range c.calls {
				assert.InDelta(t, want, float64(few.Due[i]), 4*math.Sqrt(want), i)
			}
		})
	}
}

// assertDue compares the phase of each call by its number with the one that its due time is in.
func assertDue(t *testing.T, tide *Tide, s loadgen.Schedule, n *Numbers) {
	t.Helper()
	arrivals, wrong := s.Start(), 0
	for i := range n.All() {
		due, ok := arrivals.Next()
		require.True(t, ok)
		if at := tide.at(loadgen.Point{Start: due}); tide.pieces[at].phase != n.Phase(i) {
			wrong++
		}
	}
	_, more := arrivals.Next()
	assert.False(t, more)
	assert.Zero(t, wrong)
	assert.Equal(t, len(tide.Phases)-1, n.Phase(n.All()+1000), "a warm-up may have more calls than the run")
}

func TestTraces(t *testing.T) {
	tide, err := ReadTrace("a trace.txt", strings.NewReader("# recorded\n0\n0.25\n\n250ms\n.5\n1\n"))
	require.NoError(t, err)
	assert.Equal(t, "a_trace.txt", tide.Name)
	assert.Equal(t, time.Second, tide.Length())
	n := tide.Count(tide.Schedule(random))
	assert.Equal(t, []int64{1, 2, 1, 0, 1}, n.Due, "the last is of the last phase")
	assert.Equal(t, 5, tide.Mean())
	for _, c := range []struct{ about, text, want string }{
		{"nothing", "", "t has no arrival"},
		{"nothing but remarks", "# none\n", "t has no arrival"},
		{"time goes back", "0\n2\n1.5\n", "t:3: 1.5 goes back in time: the call before is due after 2s"},
		{"a time before the start", "-1\n", `t:1: "-1" must be from 0 to 24h0m0s since the start`},
		{"the time of day", "1766000000.5\n", `t:1: "1766000000.5" must be from 0 to 24h0m0s since the start`},
		{"a duration before the start", "-1s\n", `t:1: "-1s" must be from 0 to 24h0m0s since the start`},
		{"no number", "NaN\n", `t:1: "NaN" must be from 0 to 24h0m0s since the start`},
		{"no time", "0\nsoon\n", `t:2: "soon" is neither seconds nor a time such as 1.5s`},
		{"all at once", "0\n0.05\n", "t: its calls are due within 50ms, and a trace lasts 100ms or more"},
		{"a line without an end", strings.Repeat("1", 1<<17), "t: bufio.Scanner: token too long"},
	} {
		_, err := ReadTrace("t", strings.NewReader(c.text))
		assert.EqualError(t, err, c.want, c.about)
	}
	_, err = Open("nowhere.txt")
	assert.True(t, IsNoFile(err))
}

// TestSettled: each window is given by its p50. Where nothing is said, it takes 10 ms.
func TestSettled(t *testing.T) {
	const n, level = 100, 10 * ms
	noise := func(i int) time.Duration { return time.Duration(i*37%7-3) * ms } // ±3 ms
	for _, c := range []struct {
		about string
		p50   func(i int) time.Duration
		want  time.Duration // -1: never
		err   error
	}{
		{"at once", func(int) time.Duration { return level }, 0, nil},
		{"at once, however calls vary", func(i int) time.Duration { return level + noise(i) }, 0, nil},
		{"a queue drains", func(i int) time.Duration { return level + max(20-time.Duration(i), 0)*level }, 20, nil},
		{"calls get slower after a step up", func(i int) time.Duration { return min(time.Duration(i)*ms, level) }, 7, nil},
		{"with noise", func(i int) time.Duration { return level + noise(i) + max(20-time.Duration(i), 0)*level }, 20, nil},
		{"two windows near the level are luck", func(i int) time.Duration {
			if i < 30 && i != 10 && i != 11 {
				return 5 * level
			}
			return level
		}, 30, nil},
		{"a pause of the machine while a queue drains", func(i int) time.Duration {
			if i == 5 || i == 6 || i == 40 {
				return 100 * level
			}
			return level + max(20-time.Duration(i), 0)*level
		}, 20, nil},
		{"a pause later on is another matter", func(i int) time.Duration {
			if i >= 60 && i < 65 {
				return 20 * level
			}
			return level
		}, 0, nil},
		{"a queue grows", func(i int) time.Duration { return time.Duration(i+1) * level }, -1, errSlow},
		{"a queue has not drained", func(i int) time.Duration { return time.Duration(n-i) * level }, -1, errSlow},
		{"slow and fast by turns", func(i int) time.Duration { return level << (i / 4 % 3 * 2) }, -1, errShaken},
	} {
		var list []window
		for i := range n {
			list = append(list, window{time.Duration(i), c.p50(i)})
		}
		after, err := settled(list)
		assert.ErrorIs(t, err, c.err, c.about)
		if c.err == nil {
			assert.Equal(t, c.want, after, c.about)
		}
	}
	_, err := settled(make([]window, fewestWindows-1))
	assert.ErrorIs(t, err, errFew)
}

// TestWindowsOfPhases has the windows of a run in which each phase begins with slow calls.
func TestWindowsOfPhases(t *testing.T) {
	points := func(tide *Tide, slow time.Duration) (series []loadgen.Point) {
		w := tide.Window()
		for start := time.Duration(0); start < tide.Length()+2*w; start += w {
			p := loadgen.Point{Start: start, Length: w, OK: 10, P50: ms}
			if at := tide.at(p); at >= 0 && start-tide.pieces[at].begin < slow {
				p.P50 = 50 * ms
			}
			series = append(series, p)
		}
		return series
	}
	steps, bursts, ramp := read(t, "1000,5000@10s"), read(t, "5000~10x200ms/1s"), read(t, "1..1000@10s")
	for _, c := range []struct {
		about string
		tide  *Tide
		phase int
		slow  time.Duration
		want  time.Duration
		err   string
	}{
		{"the first phase of steps", steps, 0, 300 * ms, 0, ErrNoStep.Error()},
		{"the second", steps, 1, 300 * ms, 300 * ms, ""},
		{"after bursts", bursts, 1, 70 * ms, 70 * ms, ""},
		{"in bursts", bursts, 0, 30 * ms, 30 * ms, ""},
		{"a ramp has no steps", ramp, 2, 0, 0, ErrNoStep.Error()},
	} {
		after, err := c.tide.Settled(c.phase, points(c.tide, c.slow))
		assert.Equal(t, c.want, after, c.about)
		if c.err != "" {
			assert.EqualError(t, err, c.err, c.about)
		} else {
			assert.NoError(t, err, c.about)
		}
	}
	series := points(steps, 0)
	assert.Equal(t, []float64{100, 100}, steps.Achieved(series), "calls that ended after the run are in no phase")
	for i := range series {
		series[i].P50 = 0
	}
	_, err := steps.Settled(1, series)
	assert.ErrorIs(t, err, errMerged, fmt.Sprint(steps.Window()))
}
