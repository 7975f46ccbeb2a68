package main

import (
	"fmt"
	"io"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/turns"
)

// reporter prints progress.
type reporter struct {
	out           io.Writer
	begin         time.Time
	round, rounds int
	cases         int           // of one round; by those that are known while some are not built
	expected      time.Duration // of one round; 0: nobody knows
	unbuilt       int           // binaries
	builds        int           // behind us
	building      time.Duration // what these took
	done          int           // cases behind us, measured or not
	kept          int           // results
}

func newReporter(out io.Writer, rounds int) *reporter {
	return &reporter{out: out, rounds: rounds, begin: time.Now()}
}

// built is told of a binary that is ready to run.
func (p *reporter) built(took time.Duration) {
	p.builds++
	p.building += took
}

// announce says how long it will take if a round takes as long as is expected.
func (p *reporter) announce() {
	fmt.Fprintf(p.out, "%s%d cases in %d rounds", p.about(), p.cases, p.rounds)
	if p.expected > 0 {
		fmt.Fprintf(p.out, ": about %s", turns.Clock(p.expected*time.Duration(p.rounds)))
	}
	if p.unbuilt > 0 {
		fmt.Fprintf(p.out, ", and what building %d more takes", p.unbuilt)
	}
	fmt.Fprintln(p.out)
}

// about stands before numbers that are not known yet.
func (p *reporter) about() string {
	if p.unbuilt > 0 {
		return "~"
	}
	return ""
}

// learn says after the first of several turns how long all take, the start of
// processes included.
func (p *reporter) learn(times int) {
	if took := time.Since(p.begin) - p.building; times > 1 {
		fmt.Fprintf(p.out, "the first of %d turns took %s: about %s in all\n", times, turns.Clock(took), turns.Clock(took*time.Duration(times)+p.building))
	}
}

func (p *reporter) caseDone(name string) {
	p.done++
	p.kept++
	total := max(p.cases*p.rounds, p.done)
	elapsed := time.Since(p.begin)
	left := (elapsed-p.building)/time.Duration(p.done)*time.Duration(total-p.done) + p.building/time.Duration(max(p.builds, 1))*time.Duration(p.unbuilt)
	fmt.Fprintf(p.out, "round %d/%d  case %d/%s%d  elapsed %s  left %s  %s\n", p.round, p.rounds, p.done, p.about(), total, turns.Clock(elapsed), turns.Clock(left), foreign.Line(name))
}
