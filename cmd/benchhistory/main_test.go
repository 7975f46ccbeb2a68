package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
	"github.com/rpcbench/rpcbench/cmd/internal/scales"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
)

func TestCheck(t *testing.T) {
	const grpc = "google.golang.org/grpc"
	for _, c := range []struct {
		about string
		o     options
		want  string // empty: nothing is wrong
	}{
		{"nothing is asked for", options{}, "give either -versions, -newest or -commits; see -h"},
		{"two things are asked for", options{versions: "v1.0.0", commits: "HEAD"}, "give either -versions, -newest or -commits; see -h"},
		{"the newest of nothing", options{newest: 12}, "-newest: -mod must name the module"},
		{"a number below one", options{module: grpc, newest: -1}, "-newest=-1: must be more than 0"},
		{"commits of a module", options{module: grpc, commits: "HEAD", packages: "frameworks/grpc"}, "-commits are of this repository: they have no -mod"},
		{"commits of no package", options{commits: "HEAD"}, "-commits: -pkg must give the packages to measure"},
		{"no rounds", options{module: grpc, versions: "v1.0.0"}, "-rounds=0: must be more than 0"},
		{"fewer than no counts", options{module: grpc, versions: "v1.0.0", rounds: 1, countRounds: -1}, "-counts and -sizes must not be negative"},
		{"repeats in a process", options{module: grpc, versions: "v1.0.0", rounds: 1, args: []string{"-test.count=2"}}, "-test.count=2: the rounds are the repeats, each in a process of its own: leave it out"},
		{"releases", options{module: grpc, versions: "v1.0.0", rounds: 1}, ""},
	} {
		if err := c.o.check(); c.want == "" {
			assert.NoError(t, err, c.about)
		} else {
			assert.EqualError(t, err, c.want, c.about)
		}
	}
}

func TestRelease(t *testing.T) {
	t.Chdir("../..")
	for _, c := range []struct {
		about    string
		o        options
		name     string
		want     string // module, release and package
		mistaken string
	}{
		{"a release of the module", options{module: "google.golang.org/grpc"}, "v1.85.0", "google.golang.org/grpc v1.85.0 frameworks/grpc", ""},
		{"a release with its module", options{}, "google.golang.org/grpc@v1.85.0", "google.golang.org/grpc v1.85.0 frameworks/grpc", ""},
		{"another adapter", options{module: "example.com/x/v2", packages: "./frameworks/tcp"}, "v2.0.0", "example.com/x/v2 v2.0.0 frameworks/tcp", ""},
		{"no release", options{module: "google.golang.org/grpc"}, "latest", "", `-versions: "latest" is not a version`},
		{"no module", options{}, "v1.85.0", "", `-versions: "v1.85.0" is not a version`},
		{"no adapter", options{module: "example.com/x/v2"}, "v2.0.0", "", `example.com/x/v2: "frameworks/x" is not a directory here that has benchmarks; -pkg names the adapter`},
		{"a package elsewhere", options{module: "example.com/x", packages: "../x"}, "v2.0.0", "", `"../x" is not a directory here`},
	} {
		s, err := c.o.release(c.name)
		if c.mistaken != "" {
			assert.ErrorContains(t, err, c.mistaken, c.about)
		} else if assert.NoError(t, err, c.about) {
			assert.Equal(t, c.want, fmt.Sprint(s.module, " ", s.release, " ", s.packages[0]), c.about)
		}
	}
}

// These versions can be downloaded, and nothing lists them.
func TestReleasesThatCanBeHad(t *testing.T) {
	has := map[string]bool{}
	for v := range strings.FieldsSeq("v1.5.1 v1.5.0 v1.4.2 v1.4.1 v1.4.0 v1.2.1 v1.1.0 v1.0.0") {
		has[v] = true
	}
	open := func(questions int) *search {
		return &search{left: questions, download: func(v string) error {
			if has[v] {
				return nil
			}
			return errors.New("not available")
		}}
	}
	s := open(100)
	assert.Equal(t, []string{"v1.4.2", "v1.5.1"}, s.listed(final(strings.Fields("v1.5.1 v1.5.2-dev v1.4.2 v1.4.10 v1.0.0")), 2), "those of a list that can be had, oldest first")
	assert.Equal(t, []history.Refusal{{Version: "v1.4.10", Why: "it cannot be had: not available"}}, s.refused)
	assert.Equal(t, strings.Fields("v1.2.1 v1.4.0 v1.4.1 v1.4.2 v1.5.0 v1.5.1"), open(100).countDown("v1.5.1", 6), "those that are found by counting down")
	assert.Equal(t, strings.Fields("v1.5.0 v1.5.1"), open(100).countDown("v1.5.1", 2), "no more than asked for")
	assert.Equal(t, []string{"v1.5.1"}, open(1).countDown("v1.5.1", 6), "with one question")
	assert.Len(t, open(100).countDown("v1.5.1", 100), 8, "down to the first")
}

func TestReason(t *testing.T) {
	for _, c := range []struct{ about, text, want string }{
		{"what a compiler says first", "x does not build: go test: exit status 1\n\t# example.com/x\n\ta.go:3:2: undefined: y\n\ta.go:4:2: undefined: z", "a.go:3:2: undefined: y"},
		{"what the proxy says, without its name", "go mod download x: exit status 1\n\tgo: x@v1: reading https://proxy.example/x/@v/v1.info: 403 Forbidden\n\t    server response: no", "x@v1: 403 Forbidden"},
		{"what go has found out on the way is left out", "go: exit status 1\n\tgo: finding module for package p\n\tgo: a imports p: no such module", "a imports p: no such module"},
		{"one line is that line", "it does not run", "it does not run"},
		{"nothing but asides", "# x", "# x"},
	} {
		assert.Equal(t, c.want, reason(errors.New(c.text)), c.about)
	}
}

func TestNotesComeBeforeTheEnd(t *testing.T) {
	const out = "BenchmarkX 1 1 ns/op\nPASS\n"
	assert.Equal(t, "BenchmarkX 1 1 ns/op\n# warning: BenchmarkX: late\nPASS\n", string(withNotes([]byte(out), []byte("building\n# warning: BenchmarkX: late\n# half"))))
	assert.Equal(t, out, string(withNotes([]byte(out), nil)))
	assert.Equal(t, "# no\n", string(withNotes(nil, []byte("# no\n"))), "of a process that printed nothing")
}

// fake is a program that prints what a test binary does, with the arguments that it got.
func fake(t *testing.T, script string) program {
	file := filepath.Join(t.TempDir(), "x.test")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755))
	return program{adapter: "frameworks/x", binary: file}
}

const prints = `echo "goos: linux"; echo "BenchmarkX/arguments=$# 1 5 ns/op"; echo "# warning: BenchmarkX: late" >&2; echo PASS`

func testRunner(t *testing.T, a, b program) *runner {
	h := history.Heading{Run: time.Now(), Kind: history.OfVersions, Module: "example.com/x", Commit: "1", Reference: "1", Rounds: 3, Versions: []string{"v1.0.0"}}
	w, err := history.Create(t.TempDir(), "x", h)
	require.NoError(t, err)
	return &runner{
		options: options{countRounds: 1, args: []string{"-test.bench=X", "-conc=1", "-size=1KiB"}}, record: w, line: status.ToFile(io.Discard),
		plan: plan{Heading: h, subjects: []*subject{
			{version: "v1.0.0", module: "example.com/x", programs: []program{a}},
			{version: history.Reference, programs: []program{b}},
		}},
	}
}

// A run writes each round, counts in the first, and goes on behind a process that failed.
func TestRounds(t *testing.T) {
	r := testRunner(t, fake(t, prints), fake(t, prints+`; case "$*" in *X*) exit 1;; esac`))
	err := r.rounds(t.Context())
	assert.ErrorContains(t, err, "processes failed: reference in 3")
	assert.ErrorAs(t, err, new(failure))
	record, err := history.Read(r.record.File)
	require.NoError(t, err)
	assert.Equal(t, 3, record.Done)
	names := map[string]int{}
	for _, l := range record.Lines {
		names[l.Full+" "+l.Config["version"]]++
	}
	assert.Equal(t, map[string]int{
		"BenchmarkX/arguments=4 v1.0.0": 4, "BenchmarkX/arguments=4 reference": 4, // -test.run, and the counts have no -conc
	}, names)
	assert.Equal(t, "late", record.Notes[0].Text)
	text, _, err := report(r.record.File)
	require.NoError(t, err)
	assert.Contains(t, text, "example.com/x v1.0.0, 3 of 3 rounds")
	assert.Contains(t, text, "One version alone")
}

// What was not known before the rounds is told after the first.
func TestARecordThatNobodyCouldRead(t *testing.T) {
	r := testRunner(t, fake(t, `echo "gogc: 100"; `+prints), fake(t, `echo "gogc: off"; `+prints))
	err := r.rounds(t.Context())
	assert.ErrorContains(t, err, "lines of BenchmarkX/arguments=4 differ in gogc: ")
	assert.ErrorAs(t, err, new(failure))
	assert.Equal(t, 1, r.record.Done)
}

// Rounds of two builds in one record would be the figures of neither. What was complete is
// kept.
func TestABinaryThatIsBuiltAgain(t *testing.T) {
	again := fake(t, prints+`; echo '#!/bin/sh' >"$0.new"; mv "$0.new" "$0"`)
	r := testRunner(t, again, fake(t, prints))
	r.countRounds, r.known = 0, builds.Known{}
	err := r.rounds(t.Context())
	assert.EqualError(t, err, again.binary+" was built again during the run: round 2 would measure another build; run again")
	assert.ErrorAs(t, err, new(failure))
	assert.Equal(t, 1, r.record.Done)
}

// What an interrupt leaves is whole rounds, and the same plan goes on with them.
func TestInterruptedRunIsGoneOnWith(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := testRunner(t, fake(t, prints), fake(t, prints))
	r.line = status.ToFile(writerFunc(func(b []byte) (int, error) {
		if bytes.HasPrefix(b, []byte("round 2/3")) {
			cancel()
		}
		return len(b), nil
	}))
	require.NoError(t, r.rounds(ctx))
	assert.Equal(t, 2, r.record.Done)
	o := options{dir: filepath.Dir(r.record.File), name: "x"}
	w, err := o.open(r.plan)
	require.NoError(t, err)
	assert.Equal(t, r.record.File, w.File)
	assert.Equal(t, 2, w.Done)
	r.record, r.line = w, status.ToFile(io.Discard)
	require.NoError(t, r.rounds(t.Context()))
	assert.Equal(t, 3, w.Done)
	later := r.plan
	later.Run = later.Run.Add(time.Hour)
	w, err = o.open(later)
	require.NoError(t, err)
	assert.Zero(t, w.Done, "one that is complete is not gone on with")
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A record of another machine is left as it is, and another one begins.
func TestAnotherMachine(t *testing.T) {
	r := testRunner(t, fake(t, prints), fake(t, prints))
	old := r.record
	r.record.Heading.Rounds = 1
	require.NoError(t, r.rounds(t.Context()))
	old.Heading.Rounds = 3
	elsewhere := fake(t, strings.Replace(prints, "goos: linux", "goos: plan9", 1))
	r.subjects[0].programs, r.subjects[1].programs = []program{elsewhere}, []program{elsewhere}
	r.dir, r.name, r.Heading.Run = filepath.Dir(old.File), "y", r.Heading.Run.Add(time.Hour)
	var said strings.Builder
	r.line = status.ToFile(&said)
	require.NoError(t, r.rounds(t.Context()))
	assert.Contains(t, said.String(), `goos is "plan9" and was "linux"`)
	assert.NotEqual(t, old.File, r.record.File)
	assert.Equal(t, 3, r.record.Done)
	assert.Equal(t, 1, old.Done)
}

// What one record cannot have is known when all versions are built, not after the rounds.
func TestVersionsThatNoRecordCanHave(t *testing.T) {
	of := func(version, said string) *subject {
		return &subject{version: version, programs: []program{{said: said}}}
	}
	const line = "BenchmarkA 1 5 ns/op"
	assert.NoError(t, agree([]*subject{of("v1", "gogc: 100\n"+line), of("v2", "gogc: 100\n"+line+"\nBenchmarkA-8 1 5 ns/op")}))
	assert.EqualError(t, agree([]*subject{of("v1", "gogc: 100\n"+line), of("v2", "gogc: off\n"+line)}),
		"nothing was measured: one record cannot have these versions: a record is of one pin, machine and setup: lines of BenchmarkA differ in gogc: 100 and off; give them as files of their own")
}

// The reference of another setup says nothing of the machine.
func TestTheRecordBefore(t *testing.T) {
	of := func(day int, config map[string]string) *history.Record {
		l := lines.Line{Name: lines.ParseName("BenchmarkX"), Config: map[string]string{"round": "1"}}
		maps.Copy(l.Config, config)
		return &history.Record{Run: time.Unix(int64(day), 0), Lines: []lines.Line{l}}
	}
	now := of(3, map[string]string{"pin": "0/1"})
	for about, c := range map[string]struct {
		before *history.Record
		want   bool
	}{
		"alike":              {of(2, map[string]string{"pin": "0/1"}), true},
		"another pin":        {of(2, map[string]string{"pin": "off"}), false},
		"it does not say it": {of(2, nil), true},
	} {
		got := previous(now, []*history.Record{c.before, now})
		assert.Equal(t, c.want, got == c.before, about)
	}
}

func TestTrust(t *testing.T) {
	record := func(run time.Time, cpu string) *history.Record {
		r := testRunner(t, fake(t, prints), fake(t, fmt.Sprintf(`echo "goos: linux"; echo "BenchmarkX 1 5 ns/op %s client-cpu-ns/op 5 server-cpu-ns/op"; echo PASS`, cpu)))
		r.record.Heading.Run = run
		require.NoError(t, r.rounds(t.Context()))
		read, err := history.Read(r.record.File)
		require.NoError(t, err)
		return read
	}
	day := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	before, now := record(day, "5"), record(day.AddDate(0, 0, 7), "6")
	text := trust(now, []*history.Record{before, now})
	assert.Contains(t, text, "In v1.0.0: X: late\n")
	assert.Contains(t, text, "takes 1.10 to 1.10 times the CPU that it took on 2026-11-16")
	assert.NotContains(t, trust(before, []*history.Record{before, now}), "reference", "there is none before it")
	now.Done = 2
	assert.Contains(t, trust(now, nil), "It is not complete: 2 of 3 rounds")
	before.Machine["cpu"] = "another"
	assert.NotContains(t, trust(now, []*history.Record{before, now}), "reference", "machines are not compared")
	notes := []history.Note{{Version: "a", Case: "X", Text: "80 % of 3"}, {Version: "b", Case: "X", Text: "81 % of 3"}, {Version: "b", Case: "Y", Text: "81 % of 3"}}
	assert.Equal(t, []note{{"X", "80 % of 3", []string{"a", "b"}}, {"Y", "81 % of 3", []string{"b"}}}, noted(notes), "what differs in figures alone is one note")
}

// What a version changed of a unit is one row, whose figures are of the largest change.
func TestGrouped(t *testing.T) {
	step := func(full, unit string, at int, change float64) history.Step {
		s := history.Series{Name: lines.ParseName(full), Unit: unit, Versions: []string{"a", "b", "c"}}
		return history.Step{Series: s, At: at, Change: pairs.Change{Value: change}}
	}
	r := &history.Record{Versions: []string{"a", "b", "c"}}
	var got []string
	for _, g := range grouped(r, []history.Step{
		step("BenchmarkX", "B/op", 1, .1), step("BenchmarkX", "B/op", 2, .1), step("BenchmarkY", "B/op", 2, -.2), step("BenchmarkY", "cpu-ns/op", 2, .3),
	}) {
		got = append(got, fmt.Sprint(g[0].Version(), " ", g[0].Unit, " ", cases(g)))
	}
	assert.Equal(t, []string{"c cpu-ns/op Y", "c B/op Y and 1 more", "b B/op X"}, got)
}

// Two commits of this repository are built, measured and left, with the reference of the
// record before.
// Slow: each commit is linked and measured.
func TestCommits(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds raw TCP, and measures it")
	}
	t.Parallel()
	c := newClone(t)
	c.run(t, commits, "--allow-empty", "-m", "test")
	run := `"$1/benchhistory" -dir "$1/records" -commits HEAD^,HEAD -pkg ./frameworks/tcp -rounds "$2" -counts 1 -sizes 0 -- \
		-test.bench='^BenchmarkEcho$/./=conn' -test.benchtime=20x -size=64B -conc=1`
	first := c.run(t, run, c.tmp, "1")
	assert.Contains(t, first, "commits ")
	assert.Contains(t, first, "it takes 8, and 1 are complete")
	c.run(t, run, c.tmp, "2")
	records, left, err := history.ReadDir(filepath.Join(c.tmp, "records"))
	require.NoError(t, err)
	assert.Empty(t, left)
	require.Len(t, records, 2)
	assert.Equal(t, records[0].Commit, records[1].Reference, "the reference stays")
	assert.Len(t, records[1].Versions, 2)
	assert.Equal(t, 3*2+3*2, len(records[1].Lines), "three subjects in two rounds, and the counts of conn and mux in one")
	assert.Equal(t, 1, strings.Count(c.run(t, `git worktree list`), "\n"), "no worktree is left")
	leftover, err := filepath.Glob(filepath.Join(c.tmp, "benchhistory-*"))
	require.NoError(t, err)
	assert.Empty(t, leftover)
}

// A record with ten times as many different notes takes ten times as long.
func TestCostOfNotes(t *testing.T) {
	scales.Linear(t, 500, func(n int) {
		var all []history.Note
		for i := range n {
			text := strings.Map(func(r rune) rune { return r + 'a' - '0' }, fmt.Sprint(i))
			all = append(all, history.Note{Version: "v1", Case: "BenchmarkA", Text: text})
		}
		assert.Len(t, noted(all), mostNotes)
	})
}
