package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// line is what all ranks have measured under one name.
type line struct {
	record *record.Record
	notes  []string // comments, besides the result's warnings
}

// merge makes a line of the parts of each benchmark, in the order of their starts.
func merge(parts []part, partial bool) (lines []line, err error) {
	if err := checkRun(parts); err != nil {
		return nil, err
	}
	byName := map[string][]part{}
	for _, p := range parts {
		byName[p.Benchmark] = append(byName[p.Benchmark], p)
	}
	for _, ranks := range byName {
		l, e := mergeLine(ranks, partial)
		err = errors.Join(err, e)
		lines = append(lines, l)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(lines, func(a, b line) int {
		if c := a.record.Start.Compare(b.record.Start); c != 0 {
			return c
		}
		return strings.Compare(a.record.Benchmark, b.record.Benchmark)
	})
	return lines, nil
}

// checkRun makes sure that all parts are of one run.
func checkRun(parts []part) (err error) {
	a := parts[0]
	for _, b := range parts[1:] {
		if b.RunName != a.RunName {
			err = errors.Join(err, fmt.Errorf("%s is of run %q and %s of run %q: merge one run at a time", a.path, a.RunName, b.path, b.RunName))
		} else if b.Ranks != a.Ranks {
			err = errors.Join(err, fmt.Errorf("%s is of %d ranks and %s of %d: all records of a run have the same number of ranks", a.path, a.Ranks, b.path, b.Ranks))
		}
	}
	return err
}

func mergeLine(ranks []part, partial bool) (line, error) {
	slices.SortStableFunc(ranks, func(a, b part) int { return a.Rank - b.Rank })
	first := ranks[0]
	l := line{record: &record.Record{
		RunName: first.RunName, Benchmark: first.Benchmark, Ranks: 1, Start: first.Start, Result: new(loadgen.Result),
	}}
	if err := errors.Join(checkRepeats(ranks), checkTogether(ranks)); err != nil {
		return l, err
	}
	if missing := missing(ranks); len(missing) > 0 {
		text := fmt.Sprintf("of %d ranks are missing: %s", first.Ranks, strings.Join(missing, ", "))
		if !partial {
			return l, fmt.Errorf("%s: %s; -partial merges the others", first.Benchmark, text)
		}
		l.notes = append(l.notes, text)
	}
	return l, l.add(ranks)
}

func checkRepeats(ranks []part) (err error) {
	for i, b := range ranks[1:] {
		if a := ranks[i]; a.Rank == b.Rank {
			err = errors.Join(err, fmt.Errorf("%s and %s are both rank %d of %s: merge each repeat by itself", a.path, b.path, a.Rank, a.Benchmark))
		}
	}
	return err
}

// checkTogether refuses ranks of which one was over before another began: the sum of
// their rates is a load that there never was.
func checkTogether(ranks []part) error {
	over := slices.MinFunc(ranks, func(a, b part) int { return end(a).Compare(end(b)) })
	last := slices.MaxFunc(ranks, func(a, b part) int { return a.Start.Compare(b.Start) })
	late := last.Start.Sub(end(over))
	if over.Result.Elapsed == 0 || late < 0 {
		return nil
	}
	return fmt.Errorf("%s began %v after %s was over, so their calls of %s were no load together: start ranks at one time, and merge one run at a time", last.path, late, over.path, over.Benchmark)
}

func end(p part) time.Time { return p.Start.Add(p.Result.Elapsed) }

func missing(ranks []part) (list []string) {
	there := map[int]bool{}
	for _, p := range ranks {
		there[p.Rank] = true
	}
	for rank := range ranks[0].Ranks {
		if !there[rank] {
			list = append(list, fmt.Sprint(rank))
		}
	}
	return list
}

// add merges the ranks' results and what stands beside them.
func (l *line) add(ranks []part) error {
	r := l.record
	last := r.Start
	for _, p := range ranks {
		if err := r.Result.Merge(p.Result); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if p.Start.Before(r.Start) {
			r.Start = p.Start
		}
		if p.Start.After(last) {
			last = p.Start
		}
	}
	if apart := last.Sub(r.Start); apart > r.Result.Elapsed/100 {
		l.notes = append(l.notes, fmt.Sprintf("the ranks started up to %v apart", apart))
	}
	l.notes = append(l.notes, differences(ranks)...)
	r.Config, r.Metrics = mergeConfigs(ranks), metrics(ranks, r.Result)
	if ranks[0].Ranks > 1 {
		r.Result.Warnings = attribute(ranks, r.Result.Warnings)
	}
	return nil
}

// differences say what ranks of one run have in common and these have not. Configuration
// lines have the values of all ranks, and what is of a machine may differ; versions may not.
func differences(ranks []part) (notes []string) {
	configs := mergeConfigs(ranks)
	for _, key := range slices.Sorted(maps.Keys(configs)) {
		if value := configs[key]; strings.Contains(value, ", ") && (key == "go" || ofVersion.MatchString(value)) {
			notes = append(notes, fmt.Sprintf("the ranks are of several versions: %s %s", key, value))
		}
	}
	short, long := extremes(ranks, func(p part) float64 { return p.Result.Elapsed.Seconds() })
	if long > short*alike && short > 0 {
		notes = append(notes, fmt.Sprintf("the ranks ran for %.4g s to %.4g s, and rates are of the longest", short, long))
	}
	slow, fast := extremes(ranks, offered)
	if fast > slow*alike && slow > 0 {
		notes = append(notes, fmt.Sprintf("the ranks had %.4g to %.4g calls/s to make: they are no equal shares", slow, fast))
	}
	return notes
}

// alike are times and rates that are not further apart than by this factor. Calls that are
// due at random make that much difference by chance only if they are few: see offered.
const alike = 1.1

var ofVersion = regexp.MustCompile(`^v\d`)

func extremes(ranks []part, of func(part) float64) (least, most float64) {
	for i, p := range ranks {
		v := of(p)
		if i == 0 {
			least, most = v, v
		}
		least, most = min(least, v), max(most, v)
	}
	return least, most
}

// offered is the rate at which a rank's calls were due in calls/s; 0 for a closed loop, and
// for calls that are too few to tell.
func offered(p part) float64 {
	const enough = 10_000 // six standard deviations of a Poisson process are 6 %
	if p.Result.Closed || p.Result.Due < enough || p.Result.Elapsed == 0 {
		return 0
	}
	return float64(p.Result.Due) / p.Result.Elapsed.Seconds()
}

// attribute puts before each merged warning the ranks that gave it. Warnings that
// only the sum has stay as they are.
func attribute(ranks []part, merged []error) (list []error) {
	of := map[string][]string{}
	for _, p := range ranks {
		for _, w := range p.Result.Warnings {
			of[w.Error()] = append(of[w.Error()], strconv.Itoa(p.Rank))
		}
	}
	for _, w := range merged {
		whose := of[w.Error()]
		switch {
		case errors.Is(w, loadgen.ErrFewCalls):
			list = append(list, w)
		case whose != nil:
			list = append(list, fmt.Errorf("rank %s: %w", strings.Join(whose, ", "), w))
		}
		delete(of, w.Error())
	}
	return list
}

// mergeConfigs keeps the values of a key: those of ranks that differ are separated by
// commas. Of more than mostValues the first are kept, as long as a line may be.
func mergeConfigs(ranks []part) map[string]string {
	values := map[string][]string{}
	for _, p := range ranks {
		for key, value := range p.Config {
			if !slices.Contains(values[key], value) {
				values[key] = append(values[key], value)
			}
		}
	}
	merged := map[string]string{}
	for key, list := range values {
		few := list[:min(len(list), mostValues)]
		merged[key] = strings.Join(few, ", ")
		if more := len(list) - len(few); more > 0 {
			merged[key] += fmt.Sprintf(", and %d more", more)
		}
		if len(list) > 1 {
			merged[key] = foreign.Line(merged[key])
		}
	}
	return merged
}

const mostValues = 100

// metrics returns the metrics of the merged result.
func metrics(ranks []part, sum *loadgen.Result) loadbench.Values {
	values := loadbench.Values{}
	loadbench.Report(values, loadbench.Measured{Result: sum, CPU: cpu(ranks)}.Metrics(false)...)
	if sum.Closed && sum.Sent > 0 {
		loadbench.Report(values, loadbench.Metric{Value: float64(sum.Elapsed) / float64(sum.Sent), Unit: "ns/op"})
	}
	return values
}

// cpu returns the CPU time of all ranks; 0 if it is unknown for a rank that made calls.
func cpu(ranks []part) (sum time.Duration) {
	for _, p := range ranks {
		each, ok := p.Metrics["client-cpu-ns/op"]
		if !ok && p.Result.Sent > 0 {
			return 0
		}
		sum += time.Duration(each * float64(p.Result.Sent))
	}
	return sum
}
