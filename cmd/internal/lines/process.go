package lines

import (
	"bytes"
	"regexp"
	"slices"

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

// forget deletes from the configuration of a result what another process printed.
func (p printed) forget(config map[string]string, r *benchfmt.Result) {
	own := map[string]bool(nil)
	if run := p.run(r); run > 0 {
		own = p.of[run-1]
	}
	for key := range config {
		if own != nil && !own[key] && !p.heading[key] {
			delete(config, key)
		}
	}
}
