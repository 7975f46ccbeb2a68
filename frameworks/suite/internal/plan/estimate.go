package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Pace is how much package testing asks of each case.
type Pace struct {
	Each  time.Duration // of -benchtime=1s; 0 where Calls is set
	Calls int           // of -benchtime=1000x; 0 where Each is set
	Times int           // how often a case is measured: -count for each number of -cpu
}

// ReadPace reads the values of -test.benchtime, -test.count and -test.cpu, which
// package testing has checked.
func ReadPace(benchtime, count, cpu string) Pace {
	p := Pace{Times: 1 + strings.Count(strings.Trim(cpu, ","), ",")}
	if n, err := strconv.Atoi(count); err == nil {
		p.Times *= n
	}
	if calls, found := strings.CutSuffix(benchtime, "x"); found {
		p.Calls, _ = strconv.Atoi(calls)
		return p
	}
	p.Each, _ = time.ParseDuration(benchtime)
	return p
}

// What the parts of a case take, as measured on two cores of 2.5 GHz. They need
// not be exact: what a run measures corrects them.
const (
	serverStart = 400 * time.Millisecond // a server process, until it answers
	loadStart   = 250 * time.Millisecond // clients, their connections and the warm-up
	callTime    = 30 * time.Microsecond  // a call of a saturated closed loop
	callerTime  = 100 * time.Microsecond // a call, there and back, of a single caller
	byteTime    = 4 * time.Nanosecond    // a byte of the payload, there and back
	drain       = 20 * time.Second       // with the default of -watchdog, the longest wait for calls that were due
	probes      = 10                     // of a search
)

// Package testing approaches -benchtime=1s by rounds of more and more calls, which
// together take half as long again.
const (
	roundsNumerator   = 3
	roundsDenominator = 2
)

// measures is what measuring a case once takes beyond its server and its search.
func (c Case) measures(p Pace) time.Duration {
	call, begins := c.call(), loadStart+c.alone()+2*c.fill() // the warm-up is two calls of each worker, and the first round one call
	if p.Calls > 0 {
		return begins + c.calls(p.Calls)
	}
	return begins + max(p.Each*roundsNumerator/roundsDenominator, call)
}

// call is the time from one call of a case to the next.
func (c Case) call() time.Duration {
	each := c.alone() / time.Duration(max(c.Workers, 1)*max(c.Batch, 1))
	if due := c.due(); due > 0 {
		return max(due, each, c.carry())
	}
	here := max(callTime, callerTime/time.Duration(max(c.Workers, 1))) + time.Duration(c.Size)*byteTime
	return max(here, each, c.carry())
}

// due is the time from one due call of an open loop to the next; 0 of a closed loop.
func (c Case) due() time.Duration {
	if c.Spec.Rate == 0 {
		return 0
	}
	return time.Second / time.Duration(c.Spec.Rate)
}

// calls is the time of a number of calls. Those of an open loop that the network cannot
// carry in time are waited for up to a limit when the last one was due.
func (c Case) calls(n int) time.Duration {
	all := seconds(float64(n)*c.call().Seconds(), 1)
	if c.Spec.Rate == 0 {
		return all
	}
	return min(all, time.Duration(n)*c.due()+drain+c.Patience())
}

// searches is how long a search takes. Most of its probes are of more than the network
// carries.
func (c Case) searches() time.Duration {
	return c.Search + probes*c.fill()
}

// Estimate is how long the selected cases of a plan take: what is known
// beforehand, corrected by what those before took.
type Estimate struct {
	cases      map[string]*expected
	benchmarks map[string]*learned
}

// expected is what a case is expected to take.
type expected struct {
	benchmark string
	once      time.Duration // each time it is measured
	left      int           // times to measure it
}

// learned is the work of a benchmark's cases, in expected time, and how long what
// was done of it took.
type learned struct{ left, done, took time.Duration }

// Estimate estimates the selected cases of which wants is true.
func (p *Plan) Estimate(pace Pace, wants func(Case) bool) *Estimate {
	e := &Estimate{cases: map[string]*expected{}, benchmarks: map[string]*learned{}}
	known := map[string]bool{} // servers and searches that cases share
	for _, c := range p.selected {
		if wants(c) {
			e.add(c, pace, known)
		}
	}
	return e
}

// add adds a case. The first case that needs a server or a shared search pays for
// it.
func (e *Estimate) add(c Case, pace Pace, known map[string]bool) {
	times := time.Duration(pace.Times)
	total := times * c.measures(pace)
	server := fmt.Sprint(c.Benchmark.Name, c.ID(), c.Network.Name, c.Workload)
	if c.Given == "" && !known[server] {
		total += serverStart * time.Duration(c.Servers)
	}
	search := fmt.Sprint(server, c.Size, c.Action)
	switch {
	case c.Search > 0 && !c.SearchesOnce:
		total = times * (loadStart + c.searches())
	case c.Search > 0 && !known[search]:
		total += c.searches()
	}
	known[server], known[search] = true, true
	e.cases[c.Name()] = &expected{c.Benchmark.Name, total / times, pace.Times}
	if e.benchmarks[c.Benchmark.Name] == nil {
		e.benchmarks[c.Benchmark.Name] = new(learned)
	}
	e.benchmarks[c.Benchmark.Name].left += total / times * times
}

// longestCase is the most that a case over a network may be expected to take.
const longestCase = 10 * time.Minute

// CheckTimes refuses a selected case over a network that would take too long.
func (p *Plan) CheckTimes(pace Pace) error {
	e := p.Estimate(pace, func(c Case) bool { return c.Waits() })
	for _, c := range p.selected {
		if one := e.cases[c.Name()]; one != nil && one.once > longestCase {
			return fmt.Errorf("%s: over net=%s it takes about %v, and a case may take %v: choose smaller payloads, fewer callers or a shorter -benchtime",
				c.Name(), c.Network.Name, one.once.Round(time.Minute), longestCase)
		}
	}
	return nil
}

// Cases is how many cases there are.
func (e *Estimate) Cases() int { return len(e.cases) }

// Has reports whether a case is estimated.
func (e *Estimate) Has(name string) bool { return e.cases[name] != nil }

// Took takes in that a case of this name was measured once, and how long it took.
func (e *Estimate) Took(name string, took time.Duration) {
	c := e.cases[name]
	if c == nil || c.left == 0 {
		return
	}
	c.left--
	b := e.benchmarks[c.benchmark]
	b.left, b.done, b.took = b.left-c.once, b.done+c.once, b.took+took
}

// Left is how long the cases take that were not measured yet. Those of a
// benchmark are expected to be slower, or faster, than was thought by as much as
// its cases were so far.
func (e *Estimate) Left() (sum time.Duration) {
	for _, b := range e.benchmarks {
		sum += b.expects()
	}
	return sum
}

func (b *learned) expects() time.Duration {
	if b.done == 0 {
		return b.left
	}
	return time.Duration(float64(b.left) * float64(b.took) / float64(b.done))
}

// Longest is the benchmark that takes the longest, of several; "" of one.
func (e *Estimate) Longest() (name string, takes time.Duration) {
	if len(e.benchmarks) < 2 {
		return "", 0
	}
	for _, one := range slices.Sorted(maps.Keys(e.benchmarks)) {
		if d := e.benchmarks[one].expects(); d > takes {
			name, takes = one, d
		}
	}
	return name, takes
}
