// Package suite measures serializers and tells their properties, for authors of a
// serializer and for programs that have to choose one: one table of entries serves
// correctness, speed, size and hostile input.
//
// A test describes each serializer by an Entry, and its TestMain calls Main with a
// table of one or many. The functions that run over
// the table are named after the benchmarks and tests that call them:
// BenchmarkCodec calls Codec, BenchmarkParallel calls Parallel, and tests call
// Conformance, Properties, Reuse, Together, Hostile and Readme. A fuzz target calls Fuzz
// with one entry.
//
// To test and measure with messages of one's own, Config.Messages has a list of them, and
// each Entry a case Own. Properties and Readme, which are about the messages of this suite,
// are skipped then. The module codecs/suite/example is there to copy.
package suite

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/binary"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/commandline"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/environ"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/progress"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/selection"
	build "github.com/rpcbench/rpcbench/codecs/suite/internal/self"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/settings"
)

// Config is what Main is given.
type Config struct {
	// Entries is the table, in the order of the output.
	Entries []Entry
	// GoMod is the go.mod, embedded, of the module that holds TestMain: the
	// versions of the entries' modules are printed from it.
	GoMod []byte
	// Messages are messages of one's own, made by the function Messages: the only kind that
	// is measured then, by the case Own of every entry. Zero: the messages of this suite.
	//
	// Every entry is proven on all of them before anything is measured. One that refuses
	// some, by an error or a panic, has no lines, but a note; of one that loses
	// something on the way a note says what. Conformance fails in both cases.
	Messages Sample
}

// Main is the whole of a TestMain:
//
//	func TestMain(m *testing.M) { suite.Main(m, suite.Config{Entries: entries, GoMod: goMod}) }
//
// It reads the flags, runs tests and benchmarks, and exits. A process that Hostile has
// started decodes its input instead.
func Main(m *testing.M, c Config) {
	build.Rename()
	if hostile.IsVictim() {
		os.Exit(hostile.Victim(targetsOf(c.Entries, c.Messages.own)))
	}
	leftOut, err := environ.LeaveOut(build.Again)
	environ.Told()
	env.leftOut = environ.Note(leftOut)
	err = cmp.Or(err, settings.Check(), env.read())
	if errors.Is(err, flag.ErrHelp) {
		_, err := fmt.Print(help())
		os.Exit(exitOf(lost(err)))
	}
	if err == nil {
		err = env.setUp(c)
	}
	if err != nil {
		os.Exit(exitOf(err))
	}
	exitCode, err := env.run(m)
	os.Exit(max(exitCode, exitOf(err)))
}

// lostError says that output could not be written.
type lostError struct{ error }

// lost returns a lostError of an error of writing; nil of nil.
func lost(err error) error {
	if err == nil {
		return nil
	}
	return lostError{err}
}

// exitOf says what went wrong and returns the exit code: 1 if output was lost, 2 if
// nothing could be done.
func exitOf(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "codecs: %v\n", foreign.Error(err))
	if errors.As(err, &lostError{}) {
		return 1
	}
	return 2
}

// read reads the flags.
func (e *environment) read() error {
	flag.StringVar(&e.dataList, "data", "warm", "`messages` taken in turn: warm for 256, cold for 4096, which do not fit into the caches")
	flag.BoolVar(&e.cases, "cases", false, "only print the names of the cases that -bench selects")
	flag.IntVar(&e.mutations, "mutations", 100, "mutated `messages` a serializer meets in the test of hostile input")
	flag.BoolVar(&e.update, "update", false, "write the files that tests compare, instead of comparing")
	return commandline.Parse(flag.CommandLine, os.Args[1:], selection.NoFlag)
}

func help() string {
	return `Usage: go test -run '^$' -bench PATTERN . [flag=value...]

PATTERN selects cases by their keys, one after each slash:
'Codec/codec=(json|sonic)/msg=large/op=marshal'. A list is separated by commas, as in
-data=warm,cold.
` + commandline.Help(flag.CommandLine, commandline.Subject{Title: "Flags", Flags: []string{"data", "cases", "mutations", "update"}}) + `
For -bench, -benchtime, -count, -cpuprofile and so on see go help testflag. A compiled
test binary takes them with test. before the name, as in -test.bench=Codec.
`
}

func (e *environment) setUp(c Config) (err error) {
	if flag.NArg() > 0 {
		return fmt.Errorf("arguments left over after the flags: %q; write our flags with = and after the package", flag.Args())
	}
	e.data = strings.Split(e.dataList, ",")
	for _, d := range e.data {
		if d != "warm" && d != "cold" {
			return fmt.Errorf("-data: unknown %q%s", d, selection.Instead(d, []string{"warm", "cold"}))
		}
	}
	if e.mutations <= 0 {
		return fmt.Errorf("-mutations=%d: must be more than 0", e.mutations)
	}
	e.entries, e.ready = c.Entries, true
	if err := unique(c.Entries); err != nil {
		return err
	}
	if e.sample = c.Messages.own; e.sample != nil {
		if err := e.sample.Check(); err != nil {
			return err
		}
	}
	e.versions, err = versionsOf(c.GoMod)
	return err
}

func unique(entries []Entry) error {
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[e.ID()] {
			return fmt.Errorf("Config.Entries: %s is there twice", e.ID())
		}
		seen[e.ID()] = true
	}
	return nil
}

// run runs the tests and benchmarks, or lists the cases.
func (e *environment) run(m *testing.M) (exitCode int, err error) {
	benchmarking := testFlag("bench") != "" && testFlag("bench") != "^$"
	if benchmarking && !e.cases {
		if _, err := os.Stdout.WriteString(e.header() + e.notes()); err != nil {
			return 1, lost(err)
		}
		e.progress = progress.New(testFlag, e.dataList)
	}
	exitCode, err = e.runOrList(m)
	if err == nil && benchmarking && len(e.names) == 0 && exitCode == 0 {
		err = e.unmatched(binary.Benchmarks(m))
	}
	if err == nil && benchmarking && !e.cases {
		err = lost(written(os.Stdout))
	}
	if err == nil && e.cases {
		lines := e.lines()
		progress.Announce(os.Stderr, len(lines), testFlag)
		_, err = fmt.Println(strings.Join(lines, "\n"))
		err = lost(err)
	}
	return exitCode, err
}

// unmatched says why no case of the binary's benchmarks is selected; nil if it may have
// another. benchrounds reads what is printed where all that are selected refuse.
func (e *environment) unmatched(benchmarks []string) error {
	err := e.errRefused()
	if err == nil {
		return e.pattern().Unmatched(benchmarks)
	}
	if e.cases {
		fmt.Fprint(os.Stderr, "# 0 cases\n"+e.notes())
	}
	return err
}

// pattern is what the flags select.
func (e *environment) pattern() selection.Pattern {
	var kinds, ops []string
	for _, kind := range e.kinds() {
		kinds = append(kinds, kind.Name)
	}
	for _, op := range bed.Operations {
		ops = append(ops, string(op))
	}
	return selection.Pattern{
		Bench: testFlag("bench"), Skip: testFlag("skip"),
		Keys: []selection.Key{{Name: "codec", Values: codecNames(e.entries)}, {Name: "msg", Values: kinds}, {Name: "op", Values: ops}},
	}
}

// written returns an error if there is no room left in a file for results. Package
// testing looks at no error of what it prints: where a disk is full, an empty line is not
// written either.
func written(f *os.File) error {
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return err
	}
	_, err := f.WriteString("\n")
	return err
}

// runOrList runs what is selected. To list the cases it runs the benchmarks as
// well, whose leaves then do nothing, since package testing alone knows which of
// them a pattern selects.
func (e *environment) runOrList(m *testing.M) (exitCode int, err error) {
	if !e.cases {
		return m.Run(), nil
	}
	return quietly(os.DevNull, m.Run)
}

// quietly calls run while os.Stdout, where package testing prints, is another file.
func quietly(file string, run func() int) (exitCode int, err error) {
	null, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return 0, fmt.Errorf("-cases: %w", err)
	}
	defer null.Close()
	defer func(stdout *os.File) { os.Stdout = stdout }(os.Stdout)
	os.Stdout = null
	return run(), nil
}
