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
)

// Package testing approaches -benchtime=1s by rounds of more and more calls, which
// together take half as long again.
const (
	roundsNumerator   = 3
	roundsDenominator = 2
)

// measures is what measuring a case once takes beyond its server and its search.
func (s Spec) measures(p Pace) time.Duration {
	call := s.call()
	if p.Calls > 0 {
		return loadStart + time.Duration(p.Calls)*call
	}
	return loadStart + max(p.Each*roundsNumerator/roundsDenominator, call)
}

// call is the time from one call of a case to the next.
func (s Spec) call() time.Duration {
	if s.Rate > 0 {
		return time.Second / time.Duration(s.Rate)
	}
	return max(callTime, callerTime/time.Duration(max(s.Workers, 1))) + time.Duration(s.Size)*byteTime
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
		total = times * (loadStart + c.Search)
	case c.Search > 0 && !known[search]:
		total += c.Search
	}
	known[server], known[search] = true, true
	e.cases[c.Name()] = &expected{c.Benchmark.Name, total / times, pace.Times}
	if e.benchmarks[c.Benchmark.Name] == nil {
		e.benchmarks[c.Benchmark.Name] = new(learned)
	}
	e.benchmarks[c.Benchmark.Name].left += total / times * times
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
