package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/status"
	"github.com/rpcbench/rpcbench/cmd/internal/turns"
)

// reporter tells progress: of each case on a terminal, of each round in a file.
type reporter struct {
	line          *status.Line
	begin         time.Time
	round, rounds int
	cases         int           // of one round; by those that are known while some are not built
	expected      time.Duration // of one round; 0: nobody knows
	unbuilt       int           // binaries
	builds        int           // behind us
	building      time.Duration // what these took
	done          int           // cases behind us, measured or not
	kept          int           // results
	spared        int           // cases of further rounds that are not measured again
}

func newReporter(line *status.Line, rounds int) *reporter {
	return &reporter{line: line, rounds: rounds, begin: time.Now()}
}

// built is told of a binary that is ready to run.
func (p *reporter) built(took time.Duration) {
	p.builds++
	p.building += took
}

// announce says how long it will take if a round takes as long as is expected.
func (p *reporter) announce() {
	text := fmt.Sprintf("%s%d cases in %d rounds", p.about(), p.cases, p.rounds)
	if p.expected > 0 {
		text += ": about " + turns.Clock(p.expected*time.Duration(p.rounds))
	}
	if p.unbuilt > 0 {
		text += fmt.Sprintf(", and what building %d more takes", p.unbuilt)
	}
	p.line.Say(text)
}

// about stands before numbers that are not known yet.
func (p *reporter) about() string {
	if p.unbuilt > 0 {
		return "~"
	}
	return ""
}

// total are the cases of all rounds.
func (p *reporter) total() int { return max(p.cases*p.rounds-p.spared, p.done) }

// further is told of one more round with some of the cases.
func (p *reporter) further(cases int) {
	p.rounds++
	p.spared += p.cases - cases
}

// left is how long the rest takes if its cases and builds take as long as those behind us.
// Before there is any, the binaries' own estimate counts; 0: nobody knows.
func (p *reporter) left(elapsed time.Duration) time.Duration {
	if p.done == 0 {
		return max(p.expected*time.Duration(p.rounds)+p.building-elapsed, 0)
	}
	ofCase := (elapsed - p.building) / time.Duration(p.done)
	ofBuild := p.building / time.Duration(max(p.builds, 1))
	return ofCase*time.Duration(p.total()-p.done) + ofBuild*time.Duration(p.unbuilt)
}

func (p *reporter) caseBegun(name string) { p.line.Show(p.now(name, time.Since(p.begin))) }

// now says which case is under way, and of how long a time how much is behind us.
func (p *reporter) now(name string, elapsed time.Duration) string {
	times := turns.Clock(elapsed)
	if left := p.left(elapsed); left > 0 {
		times += " of " + p.about() + turns.Clock(elapsed+left)
	}
	under := p.done + 1
	return fmt.Sprintf("round %d/%d  case %d/%s%d  %s  %s", p.round, p.rounds,
		under, p.about(), max(p.total(), under), times, foreign.Line(short(name)))
}

func (p *reporter) caseDone() {
	p.done++
	p.kept++
}

// roundDone says in a file how far it is.
func (p *reporter) roundDone() {
	if !p.line.Rewritten() {
		p.line.Say(p.sofar(time.Since(p.begin)))
	}
}

// sofar says after a round how many results there are, and how long the rest takes.
func (p *reporter) sofar(elapsed time.Duration) string {
	text := fmt.Sprintf("round %d/%d done, %d of %d results", p.round, p.rounds, p.kept, p.total())
	if p.round == p.rounds {
		return text + " in " + turns.Clock(elapsed)
	}
	return text + fmt.Sprintf(", %s so far, about %s left", turns.Clock(elapsed), turns.Clock(p.left(elapsed)))
}

// short is a benchmark's name without its keys: Echo grpc h2 for
// BenchmarkEcho/framework=grpc/transport=h2.
func short(name string) string {
	words := strings.Split(strings.TrimPrefix(name, "Benchmark"), "/")
	for i, word := range words {
		if _, value, found := strings.Cut(word, "="); found {
			words[i] = value
		}
	}
	return strings.Join(words, " ")
}
