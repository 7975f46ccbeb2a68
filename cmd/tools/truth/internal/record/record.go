// Package record keeps the runs of the truth table, each in a file of its own, so that an
// interrupted table goes on where it was.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// Format is the number of what is written, in the key format. Records of another one are of
// another table.
const Format = 1

// file is a record with its format.
type file struct {
	Format int `json:"format"`
	Record
}

// Record is one run of one cell. Times are in nanoseconds in JSON.
type Record struct {
	Cell     string        `json:"cell"` // kind, protocol, tool and mode
	Kind     planted.Kind  `json:"kind"`
	Protocol tool.Protocol `json:"protocol"`
	Tool     string        `json:"tool"`
	Mode     string        `json:"mode"`
	Closed   bool          `json:"closed"`
	Random   bool          `json:"random,omitzero"` // arrivals are random, by the seed
	Version  string        `json:"version,omitzero"`
	Options  string        `json:"options"`

	Rate    int           `json:"rate"` // calls a second that were asked for
	Run     int           `json:"run"`  // from 1 on
	Seed    int64         `json:"seed"`
	Length  time.Duration `json:"length"` // that was asked for
	Machine string        `json:"machine"`
	Date    time.Time     `json:"date"`

	Error string `json:"error,omitzero"` // why there is no Outcome; else empty
	Outcome
}

// Outcome is what came of a run.
type Outcome struct {
	Said tool.Said     `json:"said"`
	CPU  time.Duration `json:"cpu"`           // of the tool and its children
	Took time.Duration `json:"took"`          // from the tool's start to its end
	Note string        `json:"note,omitzero"` // how the tool ended, if not well

	Asked    int64               `json:"asked"`          // calls
	Made     int64               `json:"made"`           // calls that reached the server
	Failed   int64               `json:"failed"`         // of them, calls without a right answer
	Failures int64               `json:"failures"`       // of them, calls that got an error
	Floor    time.Duration       `json:"floor"`          // what a call takes beside what is planted; in Truth
	Truth    planted.Percentiles `json:"truth"`          // zero for closed loops and where nothing is planted
	Lateness planted.Percentiles `json:"lateness"`       // of arrivals at the server; zero for closed loops and a server that drops connections
	Server   planted.Percentiles `json:"server"`         // how much later than planned the server answered
	Stood    planted.Window      `json:"stood,omitzero"` // when the process was stopped
}

// Lost is how many calls the tool was asked for and neither made nor said that it did not. A
// call that it counts as failed is not lost, though it has not reached the server.
func (o *Outcome) Lost() int64 {
	failedOnTheWay := min(max(o.Said.OK+o.Said.Failed-o.Made, 0), max(o.Said.Failed-o.Failed, 0))
	return max(o.Asked-o.Made-max(o.Said.Dropped, 0)-failedOnTheWay, 0)
}

// Path returns the file of a run below a directory.
func Path(dir, cell string, seed int64, run int) string {
	name := regexp.MustCompile(`[^a-zA-Z0-9.]+`).ReplaceAllString(cell, "-")
	return filepath.Join(dir, fmt.Sprintf("%s-s%d-r%d.json", name, seed, run))
}

// Write writes the record into its file below dir, whole or not at all.
func (r Record) Write(dir string) error {
	text, err := json.MarshalIndent(file{Format, r}, "", "\t")
	if err != nil {
		return err
	}
	path := Path(dir, r.Cell, r.Seed, r.Run)
	part := filepath.Join(dir, ".part-"+filepath.Base(path))
	defer os.Remove(part) // fails if it was renamed
	if err := os.WriteFile(part, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// Done reports whether there is a record of a run that did not fail.
func Done(dir, cell string, seed int64, run int) bool {
	r, err := read(Path(dir, cell, seed, run))
	return err == nil && r.Error == ""
}

// ReadAll returns the records in dir with a seed, in order of their files' names. A
// directory that does not exist has none.
func ReadAll(dir string, seed int64) (all []Record, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		r, err := read(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if r.Seed == seed {
			all = append(all, r)
		}
	}
	return all, err
}

func read(path string) (r Record, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return r, fmt.Errorf("%s is no record, remove it: %w", path, err)
	}
	if f.Format != Format {
		return r, fmt.Errorf("%s is of format %d, and this program reads format %d: remove it, and it is measured again", path, f.Format, Format)
	}
	return f.Record, nil
}
