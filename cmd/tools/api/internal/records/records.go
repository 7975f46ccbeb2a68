// Package records is what files of results have in them: the keys and columns that programs of
// others read, and the versions that ours refuse others by. All is read from files that are
// written here, with a value in each field.
package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/hdr"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// Lines has a line for each key or column of each kind of file.
func Lines() (lines []string, err error) {
	for _, kind := range []struct {
		name  string
		lines func() ([]string, error)
	}{
		{"loadgen/record JSON", ofRecord},
		{"loadgen JSON", ofResult},
		{"loadgen/record CSV", ofTable},
		{"loadgen histogram", ofHistogram},
		{"loadgen/hdr log", ofLog},
		{"loadgen/hdr hgrm", ofPercentiles},
		{"benchhistory record", ofHistory},
	} {
		list, e := kind.lines()
		for _, l := range list {
			lines = append(lines, kind.name+": "+l)
		}
		err = errors.Join(err, e)
	}
	return lines, err
}

// sample is a result with a value in each field.
func sample() *loadgen.Result {
	r := new(loadgen.Result)
	fill(r, true)
	r.Closed = false // so that the summary has what closed loops have not
	return r
}

// ofRecord leaves out those of its result.
func ofRecord() ([]string, error) {
	var text bytes.Buffer
	r := record.Record{
		RunName: "run", Benchmark: "BenchmarkX", Ranks: 1, Start: time.Unix(0, 0).UTC(),
		Config: map[string]string{"key": "value"}, Metrics: map[string]float64{"UNIT": 1}, Result: sample(),
	}
	if err := r.Encode(&text); err != nil {
		return nil, err
	}
	lines, err := Keys(text.Bytes())
	return slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, ".result.") }), err
}

// ofResult leaves out those of the results of parts, which are results as well.
func ofResult() ([]string, error) {
	text, err := json.Marshal(sample())
	if err != nil {
		return nil, err
	}
	lines, err := Keys(text)
	return slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, ".parts[].result.") }), err
}

// Keys are the paths of all values in JSON, with their types. The version of a format stands
// with its value.
func Keys(text []byte) (lines []string, err error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return keys("", value), nil
}

func keys(path string, value any) (lines []string) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			lines = append(lines, keys(path+"."+key, v[key])...)
		}
		return lines
	case []any:
		for _, one := range v {
			lines = append(lines, keys(path+"[]", one)...)
		}
		return lines
	case float64:
		if strings.HasSuffix(path, ".format") {
			return []string{fmt.Sprintf("%s %v", path, v)}
		}
		return []string{path + " number"}
	case bool:
		return []string{path + " boolean"}
	}
	return []string{path + " string"}
}

func ofTable() ([]string, error) {
	var text bytes.Buffer
	err := record.WriteCSV(&text, sample())
	head, _, _ := strings.Cut(text.String(), "\n")
	return []string{head}, err
}

// ofHistogram is the beginning of what a histogram is in JSON, which names the format.
func ofHistogram() ([]string, error) {
	text, err := sample().Response.MarshalText()
	if err != nil {
		return nil, err
	}
	return []string{"begins " + string(text[:6])}, nil
}

// ofLog has the lines before the histograms, and the tags of these.
func ofLog() (lines []string, err error) {
	var text bytes.Buffer
	if err := hdr.WriteLog(&text, sample(), time.Unix(0, 0)); err != nil {
		return nil, err
	}
	for line := range strings.Lines(text.String()) {
		if tag, _, found := strings.Cut(line, ","); found && strings.HasPrefix(tag, "Tag=") {
			line = tag
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines, nil
}

func ofPercentiles() (lines []string, err error) {
	var text bytes.Buffer
	err = hdr.WriteHGRM(&text, &sample().Response)
	head, _, _ := strings.Cut(text.String(), "\n")
	return []string{strings.Join(strings.Fields(head), " ")}, err
}

// ofHistory has the keys of a record of one round.
func ofHistory() (lines []string, err error) {
	dir, err := os.MkdirTemp("", "api-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := history.Create(dir, "name", history.Heading{
		Run: time.Unix(0, 0), Kind: history.OfVersions, Module: "m", Commit: "c", Reference: "r", Rounds: 1,
		Versions: []string{"v1"}, Arguments: []string{"-a"}, Refused: []history.Refusal{{Version: "v2", Why: "why"}},
	})
	if err != nil {
		return nil, err
	}
	if err := w.Round(1, []history.Process{{Version: "v1", Adapter: "a", Output: []byte("BenchmarkA 1 1 ns/op\n")}}); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(w.File)
	for line := range strings.Lines(string(text)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return append(lines, "in a file "+filepath.Base(w.File)), err
}
