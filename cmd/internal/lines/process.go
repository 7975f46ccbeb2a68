package lines

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"golang.org/x/perf/benchfmt"
)

// printed are the keys of the configuration lines in a text, by the process that
// printed them. benchrounds has several print one after the other, and what one says
// of itself does not hold for the next.
type printed struct {
	heading map[string]bool   // keys above all processes, which hold for all
	of      []map[string]bool // by process
	begins  []int             // the lines, from 1, at which processes begin
}

var (
	setting = regexp.MustCompile(`^([a-z][^\sA-Z:]*):`)
	result  = regexp.MustCompile(`^Benchmark`)
	ended   = regexp.MustCompile(`^(PASS|FAIL)\s*$`)

	unitLine = regexp.MustCompile(`^Unit(\s|$)`)
)

// remark is a comment that reports read as a configuration line. To benchstat it is
// none: lines that differ in it are compared. Texts of earlier suites have no # there.
var remark = regexp.MustCompile(`(?m)^# (rank|version-key|pin-cores): `)

// uncommented makes configuration lines of remarks, line by line.
func uncommented(data []byte) []byte { return remark.ReplaceAll(data, []byte("$1: ")) }

// processes finds out which process prints what. One begins with units or, behind
// the end of another, with anything. One that a panic or a signal ended does not say
// so: the next begins with what stands above its own results.
func processes(data []byte) printed {
	p := printed{heading: map[string]bool{}}
	over, results := true, false
	for i, line := range bytes.Split(data, []byte("\n")) {
		first, unit, key := len(p.begins) == 0, bytes.HasPrefix(line, []byte("Unit ")), setting.FindSubmatch(line)
		again := results && (unit || key != nil)
		if first && unit || !first && (over || again) {
			p.begins, p.of, over, results = append(p.begins, i+1), append(p.of, map[string]bool{}), false, false
		}
		switch {
		case result.Match(line):
			results = true
		case ended.Match(line):
			over = len(p.begins) > 0
		case key != nil && len(p.begins) == 0:
			p.heading[string(key[1])] = true
		case key != nil:
			p.of[len(p.of)-1][string(key[1])] = true
		}
	}
	return p
}

// run is the number of the process that printed a result, from 1; 0 if none has begun.
func (p printed) run(r *benchfmt.Result) int {
	_, at := r.Pos()
	next, _ := slices.BinarySearch(p.begins, at+1)
	return next
}

// keeps reports whether a configuration line holds for the results of a process. What
// another process printed does not.
func (p printed) keeps(key string, run int) bool {
	return run == 0 || p.of[run-1][key] || p.heading[key]
}

// mostSettings is far more than the configuration lines of any text. Each line of a log that
// begins like one would be kept for every result below it.
const mostSettings = 1000

// configs are the configurations of results. Results that have the same share it.
type configs struct {
	ends printed
	run  int
	keys []benchfmt.Config // of the result before
	last map[string]string
}

// of returns the configuration of a result, and the process that printed it.
func (c *configs) of(r *benchfmt.Result) (config map[string]string, run int, err error) {
	if len(r.Config) > mostSettings {
		return nil, 0, fmt.Errorf("more than %d configuration lines are above it, as %s: leave out lines of a log", mostSettings, foreign.Line(r.Config[mostSettings].Key))
	}
	if run = c.ends.run(r); c.last != nil && run == c.run && slices.EqualFunc(c.keys, r.Config, sameConfig) {
		return c.last, run, nil
	}
	c.run, c.keys, c.last = run, nil, map[string]string{}
	for _, one := range r.Config {
		c.keys = append(c.keys, benchfmt.Config{Key: one.Key, Value: bytes.Clone(one.Value)})
		if key := foreign.Line(one.Key); c.ends.keeps(key, run) {
			c.last[key] = foreign.Line(string(one.Value))
		}
	}
	return c.last, run, nil
}

func sameConfig(a, b benchfmt.Config) bool {
	return a.Key == b.Key && bytes.Equal(a.Value, b.Value)
}
