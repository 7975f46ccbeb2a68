// Package estimate says beforehand how long the cases of a run take.
package estimate

import (
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Of estimates how long cases take together.
func Of(cases []plan.Case, pace Pace) (sum time.Duration) {
	paid := map[string]bool{}
	for _, c := range cases {
		sum += each(c, pace, paid) * time.Duration(pace.Times)
	}
	return sum
}

// each returns how long a measurement of a case takes. The first case that needs a server or
// a search which others need, too, pays for it, and enters it as paid.
func each(c plan.Case, pace Pace, paid map[string]bool) time.Duration {
	each, shared := measures(c, pace), time.Duration(0)
	server := fmt.Sprint(c.Benchmark.Name, c.ID(), c.Network.Name, c.Workload)
	if c.Given == "" && !paid[server] {
		shared = serverStart * time.Duration(c.Servers)
	}
	search := fmt.Sprint(server, c.Size, c.Largest, c.Action)
	switch {
	case c.Search > 0 && !c.SharesSearch:
		each, shared = loadStart+searches(c), 0
	case c.Search > 0 && !paid[search]:
		shared += searches(c)
	}
	paid[server], paid[search] = true, true
	return each + shared/time.Duration(max(pace.Times, 1))
}

// longestCase is the most that a case over a network may be expected to take.
const longestCase = 10 * time.Minute

// Check returns an error if one of the cases is over a network and would take too long.
func Check(cases []plan.Case, pace Pace) error {
	paid := map[string]bool{}
	for _, c := range cases {
		if !c.Waits() {
			continue
		}
		if takes := each(c, pace, paid); takes > longestCase {
			return fmt.Errorf("%s: over net=%s it takes about %v, and a case may take %v: choose smaller payloads, fewer callers or a shorter -benchtime",
				c.Name(), c.Network.Name, takes.Round(time.Minute), longestCase)
		}
	}
	return nil
}
