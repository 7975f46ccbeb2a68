package outcome

import (
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Told is what a fault of one server of several does to the calls of a run: others answer on,
// and errors alone do not say of how many calls.
type Told struct {
	From time.Time // when the fault began; zero if it did not

	noted    *Noted    // nil if nothing is told
	until    time.Time // when the run was given up; zero if it was not
	deadline time.Duration
}

// Tell notes the calls that a load makes in a run of cfg with a number of servers. Of one
// server nothing is told.
func Tell(l load.Load, servers int, cfg *loadgen.Config) *Told {
	t := &Told{deadline: Deadline(cfg.Timeout)}
	here, local := l.(*load.Local)
	if !local || here.Call == nil || servers == 1 {
		return t
	}
	t.noted = Note(here, cfg)
	watch := cfg.OnProgress
	cfg.OnProgress = func(p loadgen.Progress) error {
		now := time.Now()
		err := watch(p)
		if err != nil && t.until.IsZero() {
			t.until = now // what is due from now on fails since all servers are killed
		}
		return err
	}
	return t
}

// End adds to a run what became of its calls, and returns it as a sentence; "" if nothing is
// told. It is called when the run is over.
func (t *Told) End(m *load.Measured) string {
	if t.noted == nil {
		return ""
	}
	t.noted.Restore()
	if m.Result == nil || t.From.IsZero() {
		return ""
	}
	calls := t.noted.List()
	if t.until.IsZero() {
		t.until = LastDue(calls).Add(1)
	}
	s := Suffer(calls, t.From, t.until, t.deadline)
	m.More = append(m.More, s.Metrics()...)
	return s.String()
}
