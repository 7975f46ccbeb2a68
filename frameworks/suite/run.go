package suite

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/estimate"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/progress"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/terminal"
)

// announce says before anything runs how long it will take, and sets up progress.
func (s *session) announce() {
	w := terminal.Stderr()
	s.progress = progress.New(w, s.plan.Names())
	if w == nil {
		return
	}
	s.tellCases(w)
	if testFlag("run") == "" {
		fmt.Fprintln(w, "# before them the tests; add -run '^$' to leave them out")
	}
}

// tellCases says how many cases there are and how long they take.
func (s *session) tellCases(w io.Writer) {
	progress.Announce(w, s.plan.Names(), estimate.Of(s.plan.Selected(), s.pace()))
}

// tellNone says that -cases has selected no case, and why. benchrounds leaves out such a
// binary if it runs several. After any other error it stops.
func (s *session) tellNone(w io.Writer, err error) {
	var nothing *plan.Nothing
	if s == nil || !s.cases || !errors.As(err, &nothing) {
		return
	}
	fmt.Fprintln(w, "# 0 cases")
	for _, why := range nothing.Absent {
		fmt.Fprintf(w, "# skipped: %s\n", foreign.Line(why))
	}
}

// sideBySide has eight tests run at once where -parallel does not say how many. Package
// testing has one for each CPU, but those of a suite mostly wait for watchdogs.
func sideBySide() {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		flag.Set("test.parallel", "8")
	}
}

// run runs tests and benchmarks, and says what was wrong with cases.
func (s *session) run(m *testing.M) (exitCode int) {
	if s.benchmarking {
		if err := s.rig.TryLines(s.plan); err != nil {
			fmt.Fprintf(os.Stderr, "rpcbench: %v\n", err)
			return 1
		}
		if err := s.rig.Header(os.Stdout, s.plan.Absent(), s.plan.Unmarked()); err != nil {
			return lost(err)
		}
		s.announce()
		s.listen()
	}
	sideBySide()
	exitCode = m.Run()
	s.ending.Lock() // and never unlock: an interrupt from now on changes nothing
	s.rig.Close()
	exitCode = max(exitCode, s.rig.Ledger.Close(os.Stderr, s.flags.Settings.Output.Strict))
	if s.benchmarking {
		if err := written(os.Stdout); err != nil {
			return lost(err)
		}
	}
	return exitCode
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

// lost says why results are not there, and returns the exit code.
func lost(err error) (exitCode int) {
	fmt.Fprintf(os.Stderr, "rpcbench: the results cannot be written: %v\n", err)
	return 1
}
