package suite

import (
	"flag"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/progress"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/sample"
)

// environment is what Main sets up for tests and benchmarks. It is global, since package
// testing hands a benchmark nothing of it.
type environment struct {
	dataList  string
	cases     bool
	mutations int
	update    bool
	leftOut   string // which environment variables were left out; "" for none

	ready    bool
	entries  []Entry
	versions map[string]string // module → version
	data     []string
	sample   *sample.Sample // the messages of one's own; nil for those of the suite
	verdicts verdicts
	names    []string // of the leaves that -bench selects
	progress progress.Progress
}

var env environment

// mustBeReady ends a test or benchmark that runs without Main.
func (e *environment) mustBeReady(tb testing.TB) {
	tb.Helper()
	if !e.ready {
		tb.Fatal("no set-up; add to the package: func TestMain(m *testing.M) { suite.Main(m, suite.Config{Entries: …}) }")
	}
}

// note keeps the name of a leaf. Package testing runs a leaf several times: with growing
// b.N, and for each number of procs of -cpu.
func (e *environment) note(name string) {
	if slices.Contains(e.names, name) { // its line may be half printed
		return
	}
	e.progress.Tell(len(e.names) * len(procsOf(testFlag("cpu"))))
	e.names = append(e.names, name)
}

// lines are the names of the result lines: one of each leaf for each number of procs.
func (e *environment) lines() (list []string) {
	for _, name := range e.names {
		for _, n := range procsOf(testFlag("cpu")) {
			list = append(list, name+"-"+n)
		}
	}
	return list
}

// testFlag returns the value of a flag of package testing.
func testFlag(name string) string { return flag.Lookup("test." + name).Value.String() }

// procsOf lists the numbers of procs in a value of -cpu; GOMAXPROCS if there are none.
func procsOf(cpu string) []string {
	list := strings.FieldsFunc(cpu, func(c rune) bool { return c == ',' || c == ' ' })
	if len(list) == 0 {
		list = []string{strconv.Itoa(runtime.GOMAXPROCS(0))}
	}
	return list
}

// versionOf is the version of an entry's module.
func (e *environment) versionOf(entry Entry) string {
	if entry.Module == "" {
		return ""
	}
	return e.versions[entry.Module]
}
