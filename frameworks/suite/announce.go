package suite

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/terminal"
)

// longRun is what a run may take without being told how to shorten it.
const longRun = 2 * time.Minute

// announce says before anything runs how long it will take, and sets up progress.
func (s *session) announce(tests []string) {
	pace := plan.ReadPace(testFlag("benchtime"), testFlag("count"), testFlag("cpu"))
	e := s.plan.Estimate(pace, func(plan.Case) bool { return true })
	s.progress = progress{view: terminal.Find(os.Stdout, os.Stderr), estimate: e, told: time.Now(), seen: map[string]bool{}}
	if w := s.progress.view.Writer; w != nil && e.Cases() > 0 {
		fmt.Fprintf(w, "# %d cases, about %s\n", e.Cases(), clock(e.Left()))
		if e.Left() > longRun {
			fmt.Fprintf(w, "# for less: %s\n", strings.Join(s.less(pace, e), ", "))
		}
		if first := plan.Tops(testFlag("run"), tests); len(first) > 0 {
			fmt.Fprintf(w, "# %d tests run first; add -run '^$' to leave them out\n", len(first))
		}
	}
}

// less are ways to shorten a run.
func (s *session) less(pace plan.Pace, all *plan.Estimate) (ways []string) {
	recommended := s.plan.Estimate(pace, func(c plan.Case) bool { return c.Recommended })
	if n := recommended.Cases(); n > 0 && n < all.Cases() {
		ways = append(ways, fmt.Sprintf("-set=recommended (%d cases, %s)", n, clock(recommended.Left())))
	}
	if name, takes := all.Longest(); name != "" {
		ways = append(ways, fmt.Sprintf("a -bench without %s (%s)", name, clock(takes)))
	}
	o := s.flags.Options
	if len(o.Sizes.Values) > 1 {
		ways = append(ways, "one -size="+plan.FormatSize(o.Sizes.Values[0]))
	}
	if len(o.Concs.Values) > 1 {
		ways = append(ways, fmt.Sprintf("one -conc=%d", o.Concs.Values[0]))
	}
	names := strings.Split(s.plan.Names()[0], "/")
	return append(ways, "a narrower -bench such as "+strings.TrimPrefix(names[0], "Benchmark")+"/"+names[1])
}
