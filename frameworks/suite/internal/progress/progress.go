// Package progress tells on standard error how long a run takes, how much of it is left, and
// where it was interrupted.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// seldom is how often progress is told, since it may stand among the result lines.
const seldom = 30 * time.Second

// Progress is the progress of a run. The zero value has no cases and tells nothing.
type Progress struct {
	out         io.Writer // nil if nobody reads it
	began, told time.Time // when the first case began, and when progress was told last

	mu    sync.Mutex      // guards what an interrupt reads
	cases map[string]bool // by name, whether a case has begun
	begun int             // cases that have begun
	name  string          // of the case under way; "" between two
}

// New returns the progress of a run of cases, by their names. It is told to out, which may
// be nil.
func New(out io.Writer, names []string) *Progress {
	p := &Progress{out: out, cases: map[string]bool{}}
	for _, name := range names {
		p.cases[name] = false
	}
	return p
}

// Begin is called when a case begins to be measured, which it does several times with -count.
// Progress is told the first time, because package testing prints the name of a case
// when it was measured first, and its figures later.
func (p *Progress) Begin(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	begun, known := p.cases[name]
	if !known {
		return
	}
	p.name = name
	if !begun {
		p.cases[name] = true
		p.tell(time.Now())
		p.begun++
	}
}

// End is called after the line of a case was printed.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.name = ""
}

// tell expects the cases that are left to take as long as those before, in the mean.
func (p *Progress) tell(now time.Time) {
	switch {
	case p.begun == 0:
		p.began, p.told = now, now
	case p.out != nil && now.Sub(p.told) >= seldom:
		p.told = now
		left := now.Sub(p.began) / time.Duration(p.begun) * time.Duration(len(p.cases)-p.begun)
		fmt.Fprintf(p.out, "# %d of %d cases done, %v left\n", p.begun, len(p.cases), rounded(left))
	}
}

// Interrupt says where the run was interrupted, and returns the name of the case under way,
// which has no result; "" between two cases. No case begins or ends after it. shared says
// that results go to w as well: the line of the case may then be half printed, and ends.
func (p *Progress) Interrupt(w io.Writer, shared bool) (name string) {
	p.mu.Lock() // and never unlock
	if p.name != "" && shared {
		fmt.Fprintln(w)
	}
	switch {
	case p.begun == 0:
		fmt.Fprintln(w, "# interrupted before the first case")
	case p.name == "":
		fmt.Fprintf(w, "# interrupted after case %d of %d\n", p.begun, len(p.cases))
	default:
		fmt.Fprintf(w, "# interrupted in case %d of %d, which has no result\n", p.begun, len(p.cases))
	}
	return p.name
}
