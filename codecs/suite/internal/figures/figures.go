// Package figures reads result lines and makes tables of them.
package figures

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/regular"
)

// Figures are the lines of a run: by name without Benchmark and procs, and
// unit, the values of all rounds.
type Figures struct {
	Config map[string]string // the configuration lines
	values map[string]map[string][]float64
	with   map[string]map[string]string // by name, what its lines were measured with
}

// most is more than any file of figures has, in bytes.
const most = 64 << 20

// read reads the figures of a file.
func read(file string) (f Figures, err error) {
	f = Figures{map[string]string{}, map[string]map[string][]float64{}, map[string]map[string]string{}}
	text, err := regular.ReadFile(file, most)
	if err != nil {
		return f, err
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if key, value, ok := strings.Cut(line, ": "); ok && !strings.Contains(key, " ") {
			f.Config[key] = value
		}
		if fields := strings.Fields(line); strings.HasPrefix(line, "Benchmark") && len(fields) > 3 {
			if err := f.add(strings.TrimPrefix(fields[0], "Benchmark"), fields[2:]); err != nil {
				return f, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return f, nil
}

// add adds the values of a line. The number of procs of a line of BenchmarkParallel
// becomes a key of its name. The line must have been measured as those of its name were,
// as it is not another round of the same measurement otherwise.
func (f Figures) add(name string, pairs []string) error {
	name, procs := cutProcs(name)
	if strings.HasPrefix(name, "Parallel/") {
		name += "/procs=" + procs
	}
	if err := f.sameSetup(name, procs); err != nil {
		return err
	}
	if f.values[name] == nil {
		f.values[name] = map[string][]float64{}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if v, err := strconv.ParseFloat(pairs[i], 64); err == nil {
			f.values[name][pairs[i+1]] = append(f.values[name][pairs[i+1]], v)
		}
	}
	return nil
}

// sameSetup returns an error that says in what a line was measured otherwise than an
// earlier line of its name. The date and the commit may differ.
func (f Figures) sameSetup(name, procs string) error {
	if f.with[name] == nil {
		f.with[name] = map[string]string{}
	}
	now := maps.Clone(f.Config)
	now["GOMAXPROCS"] = procs
	for _, key := range slices.Sorted(maps.Keys(now)) {
		was, known := f.with[name][key]
		if known && was != now[key] && key != "date" && key != "commit" {
			return fmt.Errorf("lines of %s differ in %s: %s and %s: measure them again, in one run", name, key, was, now[key])
		}
		f.with[name][key] = now[key]
	}
	return nil
}

// cutProcs cuts off the number of procs, which testing adds to a name if it is not 1.
func cutProcs(name string) (base, procs string) {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name, "1"
	}
	return name[:i], name[i+1:]
}

// median returns the median of a unit of the lines of that name; 0 if there are no
// such lines.
func (f Figures) median(name, unit string) float64 {
	return spreadOf(f.values[name][unit]).median
}

// codecs are the serializers that there are figures of.
func (f Figures) codecs() map[string]bool {
	set := map[string]bool{}
	for name := range f.values {
		set[keyOf(name, "codec")] = true
	}
	return set
}

// Rounds returns the number of values of a unit, of the line that has the fewest.
func (f Figures) Rounds(unit string) (fewest int) {
	for _, values := range f.values {
		if n := len(values[unit]); fewest == 0 || n < fewest {
			fewest = n
		}
	}
	return fewest
}

// keyOf is the value of a key in a benchmark's name; "" if it is not there.
func keyOf(name, key string) string {
	for part := range strings.SplitSeq(name, "/") {
		if value, ok := strings.CutPrefix(part, key+"="); ok {
			return value
		}
	}
	return ""
}
