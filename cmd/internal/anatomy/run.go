package anatomy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/folder"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// Run is one side of one line: what the profiler saw of it, and what the line says.
type Run struct {
	Name   string // of the line, as in BenchmarkEcho/framework=grpc/conc=100
	Side   string // client or server
	File   string // of the record
	Start  time.Time
	Calls  int64
	CPU    float64           // ns of CPU time for each call, by the clock of the process
	Tick   time.Duration     // between two samples of a thread that runs all the time
	Config map[string]string // of the line
	Stacks Stacks
	build  string
	folded bool // Stacks were read from what WriteFolded wrote
}

// ns is the CPU time of a call that samples stand for. The clock says how much CPU time there was,
// and samples what it was spent on: each stands for an equal share.
//
// Samples alone said 95 to 106 % of the clock. The likely reason is that both sides take theirs at
// the same time, at the ticks of the kernel: a side that waits for the other one meanwhile sleeps
// after a tick more often than at it. That has nothing to do with what it works on.
func (r Run) ns(samples int64) float64 {
	return float64(samples) / float64(r.Stacks.Total()) * r.CPU
}

// Covered is the CPU time by ticks as a fraction of what the clock says.
func (r Run) Covered() float64 {
	return float64(r.Stacks.Total()) * float64(r.Tick) / float64(r.Calls) / r.CPU
}

// line is the part of a record that is needed here.
type line struct {
	Name    string             `json:"name"`
	Start   time.Time          `json:"start"`
	Metrics map[string]float64 `json:"metrics"`
	Config  map[string]string  `json:"config"`
	Result  *struct {
		Sent int64 `json:"sent"`
	} `json:"result"`
}

const maxFile = 64 << 20

// errIncomplete is the error of a record without both profiles, as an interrupt, a server that
// died or a run without a sample leaves it.
var errIncomplete = errors.New("incomplete")

// ReadDir reads what -anatomy has written into a directory, in the order of time: a client's
// and a server's run of each line. Records without both profiles are left out, and left says so. The
// error names the file.
func ReadDir(dir string) (list []Run, left string, err error) {
	files, _, err := folder.Files(dir, ".json")
	if err != nil {
		return nil, "", err
	}
	for _, path := range files {
		runs, err := readRecord(path)
		switch {
		case errors.Is(err, errIncomplete):
			left = fmt.Sprintf("left out %s, and perhaps others: %v", path, err)
		case err != nil:
			return nil, "", fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, runs...)
	}
	switch {
	case len(list) == 0 && left != "":
		return nil, "", errors.New(left)
	case len(list) == 0:
		return nil, "", fmt.Errorf("%s: no profiles there; the suites write them with their flag -anatomy", dir)
	}
	slices.SortStableFunc(list, func(a, b Run) int { return a.Start.Compare(b.Start) })
	return list, left, checkBuilds(list)
}

// readRecord reads a record and the profiles beside it.
func readRecord(path string) (runs []Run, err error) {
	data, err := regular.ReadFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("not a record: %w", err)
	}
	for _, side := range Sides() {
		r, err := l.run(path, side)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	if c, s := runs[0].build, runs[1].build; c != s && c != "" && s != "" {
		return nil, fmt.Errorf("the client's profile is of another build than the server's, %.12s and %.12s: run the same binary on both machines", c, s)
	}
	return runs, nil
}

// run is one side of a line.
func (l line) run(path, side string) (r Run, err error) {
	r = Run{Name: foreign.Line(l.Name), Side: side, File: path, Start: l.Start, Config: map[string]string{}}
	for key, value := range l.Config {
		r.Config[foreign.Line(key)] = foreign.Line(value)
	}
	var known bool
	r.CPU, known = l.Metrics[side+"-cpu-ns/op"]
	r.Tick, _ = time.ParseDuration(l.Config["sample"])
	switch {
	case l.Result == nil || l.Result.Sent <= 0:
		return r, errors.New("a record without a call")
	case r.Tick <= 0:
		return r, errors.New("a record that does not say how much CPU time a sample stands for: the flag is -anatomy, not -results")
	case !known || r.CPU <= 0:
		return r, fmt.Errorf("the line has no %s-cpu-ns/op, which the parts are to add up to", side)
	}
	r.Calls = l.Result.Sent
	err = r.readSide(strings.TrimSuffix(path, ".json") + "." + side)
	if err == nil && !r.folded {
		r.addMonitor(l.Metrics[side+"-monitor-ns/op"])
	}
	return r, err
}

// monitor is the stack of the monitor of Go's runtime. This thread has no timer, so no profile sees
// it. It takes the CPU from goroutines that keep it too long, and polls sockets that no other
// thread has polled for a while. It looks 20 µs after a process has woken up, and then ever less
// often. In a process that sleeps and wakes all the time it used up to 9 % of the CPU time.
const monitor = "runtime.mstart;runtime.mstart1;runtime.sysmon"

// addMonitor adds as many samples as have the monitor's share of the CPU time.
func (r *Run) addMonitor(ns float64) {
	share := min(ns/r.CPU, mostMonitor)
	if n := int64(math.Round(share / (1 - share) * float64(r.Stacks.Total()))); n > 0 {
		r.Stacks[monitor] = n
	}
}

// mostMonitor bounds what a record may say of the monitor, which then has as many samples as all
// else.
const mostMonitor = .5

// readSide reads the profile of a side, or the folded stacks that were made of it.
func (r *Run) readSide(path string) error {
	data, err := regular.ReadFile(path+".pprof", maxFile)
	if err == nil {
		r.Stacks, r.build, err = ReadProfile(data)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return inFile(path+".pprof", err)
	}
	r.folded = true
	if data, err = regular.ReadFile(path+folded, maxFile); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: no profile of the %s is beside it, since the run failed or was interrupted", errIncomplete, r.Side)
	}
	if err == nil {
		r.Stacks, err = ReadFolded(data)
	}
	return inFile(path+folded, err)
}

const folded = ".folded"

func inFile(path string, err error) error {
	if err == nil || errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%s: %w", filepath.Base(path), err)
}

// checkBuilds returns an error if the rounds of a line were of several builds.
func checkBuilds(list []Run) error {
	first := map[string]Run{}
	for _, r := range list {
		if r.build == "" {
			continue
		}
		f, known := first[r.Name]
		if known && f.build != r.build {
			return fmt.Errorf("%s and %s are of two builds of one benchmark: give each a directory", f.File, r.File)
		}
		first[r.Name] = r
	}
	return nil
}

// WriteFolded writes the folded stacks of a run beside its record, for flame graphs and for
// those who keep no profiles. It writes nothing where these are what was read.
func (r Run) WriteFolded() (err error) {
	if r.folded {
		return nil
	}
	f, err := os.Create(strings.TrimSuffix(r.File, ".json") + "." + r.Side + folded)
	if err != nil {
		return err
	}
	return errors.Join(r.Stacks.WriteFolded(f), f.Close())
}
