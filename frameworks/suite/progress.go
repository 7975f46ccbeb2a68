package suite

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/estimate"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/terminal"
)

// progress tells while a run goes on how much of it is left. The zero value tells
// nothing.
type progress struct {
	view     terminal.View
	estimate *estimate.Estimate
	last     string    // the case that began last
	since    time.Time // when it did
	told     time.Time // when progress was told last

	mu   sync.Mutex // of what an interrupt reads
	name string     // of the case under way; "" between two
	seen map[string]bool
	half bool // the beginning of a line may be printed
}

// seldom is how often progress is told between result lines.
const seldom = 30 * time.Second

// begin is called when a case begins to be measured, which it does several times
// with -count.
func (p *progress) begin(name string) {
	if p.estimate == nil || !p.estimate.Has(name) {
		return
	}
	now := time.Now()
	p.estimate.Took(p.last, now.Sub(p.since))
	p.last, p.since = name, now
	if first := p.enter(name); first {
		p.tell(now)
	}
}

// enter notes the case under way, and whether it is its first time. Only then no
// line is half printed.
func (p *progress) enter(name string) (first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first = !p.seen[name]
	p.name, p.seen[name], p.half = name, true, !first
	return first
}

// goOn is called at the end of a round. Package testing prints the name of a case
// after its first.
func (p *progress) goOn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.half = true
}

// end is called when the line of a case is printed, if it has one.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.name, p.half = "", false
}

func (p *progress) tell(now time.Time) {
	done := len(p.seen) - 1
	if p.view.Writer == nil || done == 0 || !p.view.Apart && now.Sub(p.told) < seldom {
		return
	}
	p.told = now
	fmt.Fprintf(p.view, "# %d of %d cases done, %v left\n", done, p.estimate.Cases(), rounded(p.estimate.Left()))
}

// interrupted says where the run was interrupted. It ends the line that is half
// printed, if what is said goes to the same place.
func (p *progress) interrupted(w io.Writer) {
	if p.half && terminal.Same(os.Stdout, os.Stderr) {
		fmt.Fprintln(w)
	}
	switch {
	case len(p.seen) == 0:
		fmt.Fprintln(w, "# interrupted before the first case")
	case p.name == "":
		fmt.Fprintf(w, "# interrupted after case %d of %d\n", len(p.seen), p.estimate.Cases())
	default:
		fmt.Fprintf(w, "# interrupted in case %d of %d, which has no result\n", len(p.seen), p.estimate.Cases())
	}
}

// rounded is a time to read.
func rounded(d time.Duration) time.Duration {
	if d > time.Hour {
		return d.Round(time.Minute)
	}
	return d.Round(time.Second)
}
