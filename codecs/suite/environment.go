package suite

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// environment is what tests and benchmarks find set up by Main. There is one
// to a process, since testing hands a benchmark nothing.
type environment struct {
	dataList  string
	cases     bool
	mutations int
	update    bool

	ready    bool
	entries  []Entry
	versions map[string]string // module → version
	data     []string
	names    []string // of the leaves that -bench selects
	progress progress
}

var env environment

// mustBeReady ends a test or benchmark that runs without Main.
func (e *environment) mustBeReady(tb testing.TB) {
	tb.Helper()
	if !e.ready {
		tb.Fatal("no set-up; add to the package: func TestMain(m *testing.M) { suite.Main(m, suite.Config{Entries: …}) }")
	}
}

// note keeps the name of a leaf, which testing runs more than once: often, and
// for each number of procs of -cpu.
func (e *environment) note(name string) {
	full := fmt.Sprintf("%s-%d", name, runtime.GOMAXPROCS(0))
	if slices.Contains(e.names, full) {
		return
	}
	again := slices.ContainsFunc(e.names, func(other string) bool { return strings.HasPrefix(other, name+"-") })
	e.names = append(e.names, full)
	if !again { // later, the beginning of its line is printed
		e.progress.tell(len(e.names) - 1)
	}
}

// versionOf is the version of an entry's module.
func (e *environment) versionOf(entry Entry) string {
	if entry.Module == "" {
		return ""
	}
	return e.versions[entry.Module]
}
