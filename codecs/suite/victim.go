package suite

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
)

// What may come of an input.
const (
	ok       = "ok"
	failed   = "error"
	panicked = "panic"
	reached  = "reached" // for memory that is not its own
	greedy   = "greedy"
)

// outcome is what a victim reports for each input, after the number of the input
// it is about to take.
type outcome struct {
	What  string `json:"what"`
	Taken uint64 `json:"taken"` // bytes
	About string `json:"about"`

	fault uintptr // the address that it must not touch, where it touched one
}

// victimEnv is set for victims: the entry, the first input and the last.
const victimEnv = "RPCBENCH_CODECS_VICTIM"

func isVictim() bool { return os.Getenv(victimEnv) != "" }

// victim is the whole life of a victim. The file that it reports to is the first
// behind stderr.
func victim(entries []Entry) (exitCode int) {
	if err := sufferAll(entries, os.NewFile(3, "reports")); err != nil {
		fmt.Fprintln(os.Stderr, foreign.Error(err))
		return 2
	}
	return 0
}

func sufferAll(entries []Entry, reports io.Writer) error {
	var id string
	var next, n int
	if _, err := fmt.Sscan(os.Getenv(victimEnv), &id, &next, &n); err != nil {
		return err
	}
	for _, e := range entries {
		if e.ID() == id {
			return e.suffer(next, n, reports)
		}
	}
	return fmt.Errorf("no entry %q", id)
}

// suffer decodes the inputs one after the other.
func (e Entry) suffer(next, n int, reports io.Writer) error {
	preys, err := e.preys()
	if err != nil {
		return err
	}
	memory, err := newGuarded()
	if err != nil {
		return err
	}
	if err := limitMemory(); err != nil {
		return err
	}
	debug.SetMemoryLimit(victimMemory / 2) // collect before the limit kills
	beds := make([]bed, len(preys))
	for i := next; i < n; i++ {
		m := mutationOf(preys, i)
		if beds[m.kind] == nil {
			beds[m.kind] = e.cases()[m.kind].make()
		}
		src, err := memory.hold(m.src)
		if err != nil {
			return err
		}
		fmt.Fprintf(reports, "%d %s\n", i, m.about)
		o := attackGuarded(beds[m.kind], memory, src)
		if o.About != "" {
			o.About = fmt.Sprintf("input %d, %s: %s", i, m.about, o.About)
			beds[m.kind] = nil // who knows what it left behind
		}
		line, err := json.Marshal(o)
		if err != nil {
			return err
		}
		fmt.Fprintf(reports, "%d %s\n", i, line)
	}
	time.Sleep(lateness) // for what a timer does
	_, err = fmt.Fprintln(reports, "end")
	return err
}

// lateness is how long a victim waits for goroutines that an input has left behind:
// one that panics ends its process however late it does.
const lateness = 50 * time.Millisecond

// attackGuarded has a bed decode an input in guarded memory, and tells what came of it
// and what memory it took.
func attackGuarded(b bed, memory *guarded, src []byte) (o outcome) {
	goroutines, before, heap := runtime.NumGoroutine(), startPeak(), allocated()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	o = attack(b, src)
	for end := time.Now().Add(lateness); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if o.fault != 0 {
		o.What, o.About = reached, memory.where(o.fault, src)
	}
	if o.Taken = before.taken(allocated() - heap); o.Taken > greedyMemory {
		o.What, o.About = greedy, fmt.Sprintf("took %s", megabytes(o.Taken))
	}
	return o
}

// attack decodes an input and tells what came of it.
func attack(b bed, src []byte) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{What: panicked, About: foreign.Line(fmt.Sprint(p))}
			if at, is := p.(interface{ Addr() uintptr }); is {
				o.fault = at.Addr()
			}
		}
	}()
	if err := b.attack(src); err != nil {
		return outcome{What: failed}
	}
	return outcome{What: ok}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
