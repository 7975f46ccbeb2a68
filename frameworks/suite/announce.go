package suite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/estimate"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/terminal"
)

// longRun is what a run may take without being told how to shorten it.
const longRun = 2 * time.Minute

// announce says before anything runs how long it will take, and sets up progress.
func (s *session) announce(tests []string) {
	s.progress = progress{view: terminal.Find(os.Stdout, os.Stderr), estimate: s.expect(s.plan.Selected()), told: time.Now(), seen: map[string]bool{}}
	w := s.progress.view.Writer
	if w == nil {
		return
	}
	s.tellEstimate(w)
	if first := plan.Tops(testFlag("run"), testFlag("skip"), tests); len(first) > 0 {
		fmt.Fprintf(w, "# before them %s; add -run '^$' to leave tests out\n", counted(len(first), "test"))
	}
}

// expect estimates what the flags of package testing ask of cases.
func (s *session) expect(cases []plan.Case) *estimate.Estimate { return estimate.New(cases, s.pace()) }

func (s *session) pace() estimate.Pace {
	return estimate.ReadPace(testFlag("benchtime"), testFlag("count"), testFlag("cpu"))
}

// tellEstimate says how long the cases take. The first line is read by benchrounds.
func (s *session) tellEstimate(w io.Writer) {
	e := s.expect(s.plan.Selected())
	if e.Cases() == 0 {
		return
	}
	fmt.Fprintf(w, "# %s, about %v\n", counted(e.Cases(), "case"), rounded(e.Left()))
	if e.Left() > longRun {
		fmt.Fprintf(w, "# for less: %s\n", strings.Join(s.less(e), ", "))
	}
}

// tellNone says that -cases has selected no case, and why. benchrounds leaves such a
// binary out if it runs several. After any other error it stops.
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

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// less are ways to shorten a run.
func (s *session) less(whole *estimate.Estimate) (ways []string) {
	fewer := s.expect(slices.DeleteFunc(slices.Clone(s.plan.Selected()), func(c plan.Case) bool { return !c.Recommended }))
	if n := fewer.Cases(); n > 0 && n < whole.Cases() {
		ways = append(ways, fmt.Sprintf("-set=recommended (%s, %v)", counted(n, "case"), rounded(fewer.Left())))
	}
	if name, takes := whole.Longest(); name != "" {
		ways = append(ways, fmt.Sprintf("a -bench without %s (%v)", name, rounded(takes)))
	}
	o := s.flags.Options
	if len(o.Sizes.Values) > 1 {
		ways = append(ways, "one -size="+o.Sizes.Values[0].String())
	}
	if len(o.Concs.Values) > 1 {
		ways = append(ways, fmt.Sprintf("one -conc=%d", o.Concs.Values[0]))
	}
	names := strings.Split(s.plan.Names()[0], "/")
	return append(ways, "a narrower -bench such as "+strings.TrimPrefix(names[0], "Benchmark")+"/"+names[1])
}
