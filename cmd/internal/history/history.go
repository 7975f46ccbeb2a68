// Package history keeps records: files in which several versions of a program, and one
// reference that never changes, are measured in interleaved rounds. It writes them round
// by round, reads them, and finds the versions at which a figure steps up or down.
//
// A record is text that benchfmt reads. Its heading says what was measured and where:
//
//	history: 1
//	run: 20261124T051500Z
//	kind: versions
//	module: google.golang.org/grpc
//	commit: 0123456789ab
//	reference: 0123456789ab
//	rounds: 20
//	versions: v1.84.0 v1.85.0
//	arguments: "-test.bench=^BenchmarkEcho$"
//	# refused v1.78.0: does not build
//	cpu: …, kernel: …, and every other line that all processes of round 1 share
//	Unit …
//
// Of each process follow its version, round and adapter, the configuration lines that
// are not in the heading, and what it printed. A round ends with
//
//	# round 7 is complete
//
// Lines of one name that differ in procs, or in packages of one version, are cases of their
// own. All lines have the same pin, machine and settings, or the record is refused.
//
// Whatever stands behind the last of these lines was written by half. It is left out by
// whoever reads the record, and cut off by whoever goes on with it.
package history

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// Format is the number of the format, the value of the line history.
const Format = "1"

// Reference is the version of the program that never changes.
const Reference = "reference"

// RunFormat is how the time of a run is written, in UTC.
const RunFormat = "20060102T150405Z"

// Kinds of records.
const (
	OfVersions = "versions" // releases of one module or of several
	OfCommits  = "commits"  // of this repository
)

// MachineKeys are the configuration lines that tell machines apart: a record is of one
// value of each.
func MachineKeys() []string { return []string{"cpu", "goos", "goarch", "kernel", "go"} }

// Heading is what is known of a record before it is measured.
type Heading struct {
	Run       time.Time // when it was begun
	Kind      string    // OfVersions or OfCommits
	Module    string    // of OfVersions; empty if versions are of several modules
	Commit    string    // of this repository, whose suite and adapters measure
	Reference string    // the commit of this repository that the reference is built from
	Rounds    int       // planned
	Versions  []string  // oldest first, without the reference
	Arguments []string  // of the binaries
	Refused   []Refusal
}

// Refusal is a version that was not measured, and why.
type Refusal struct{ Version, Why string }

// Process is what one process of a round printed.
type Process struct {
	Version string // one of Heading.Versions, Reference, or the name of a program beside them
	Adapter string // the directory whose adapter was built, as in frameworks/grpc
	Output  []byte // what it printed, and its notes: lines that begin with #
}

// check says why a heading cannot be written.
func (h Heading) check() error {
	switch {
	case h.Kind != OfVersions && h.Kind != OfCommits:
		return fmt.Errorf("a record is of %s or of %s, not of %q", OfVersions, OfCommits, h.Kind)
	case len(h.Versions) == 0:
		return fmt.Errorf("a record has one version at least")
	case h.Rounds < 1:
		return fmt.Errorf("a record of %d rounds has nothing", h.Rounds)
	}
	seen := map[string]bool{Reference: true}
	for _, v := range h.Versions {
		if err := checkName(v); err != nil {
			return err
		}
		if seen[v] {
			return fmt.Errorf("%s: two versions cannot have one name", v)
		}
		seen[v] = true
	}
	return nil
}

// checkName says why a name cannot be one of a list with spaces between its names.
func checkName(v string) error {
	if v == "" || strings.ContainsFunc(v, unicode.IsSpace) || foreign.Line(v) != v {
		return fmt.Errorf("%q: a version has a name without spaces", v)
	}
	return nil
}

// text are the lines of a heading, but for those of the machine.
func (h Heading) text() string {
	var b strings.Builder
	for _, l := range [][2]string{
		{"history", Format},
		{"run", h.Run.UTC().Format(RunFormat)},
		{"kind", h.Kind},
		{"module", h.Module},
		{"commit", h.Commit},
		{"reference", h.Reference},
		{"rounds", strconv.Itoa(h.Rounds)},
		{"versions", strings.Join(h.Versions, " ")},
		{"arguments", quoted(h.Arguments)},
	} {
		if l[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", l[0], foreign.Line(l[1]))
		}
	}
	for _, r := range h.Refused {
		b.WriteString(r.text())
	}
	return b.String()
}

func (r Refusal) text() string {
	return fmt.Sprintf("# refused %s: %s\n", foreign.Line(r.Version), foreign.Line(strings.Join(strings.Fields(r.Why), " ")))
}

func quoted(args []string) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = strconv.Quote(a)
	}
	return strings.Join(list, " ")
}

// reserved reports whether a key belongs to the record: what a process prints under it
// is not kept.
func reserved(key string) bool {
	switch key {
	case "history", "run", "kind", "module", "commit", "reference", "rounds", "versions", "arguments", "version", "round", "adapter":
		return true
	}
	return false
}

// complete is the line that ends a round.
func complete(round int) string { return fmt.Sprintf("# round %d is complete\n", round) }

// ours are comments that have a meaning in a record, which no process may print.
var ours = regexp.MustCompile(`^# (round \d+ is complete|refused \S+:)`)
