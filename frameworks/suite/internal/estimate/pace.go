package estimate

import (
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
