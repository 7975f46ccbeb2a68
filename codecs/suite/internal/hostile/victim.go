package hostile

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/memory"
)

// victimEnv is set for victims: the target, the number of the first input, and that behind
// the last.
const victimEnv = "RPCBENCH_CODECS_VICTIM"

// IsVictim reports whether this process was started to decode hostile input.
func IsVictim() bool { return os.Getenv(victimEnv) != "" }

// Victim is the whole life of a victim. It reports to the file behind stderr.
func Victim(targets []Target) (exitCode int) {
	if err := decodeAll(targets, os.NewFile(3, "reports")); err != nil {
		fmt.Fprintln(os.Stderr, foreign.Error(err))
		return 2
	}
	return 0
}

func decodeAll(targets []Target, reports io.Writer) error {
	var id string
	var next, n int
	if _, err := fmt.Sscan(os.Getenv(victimEnv), &id, &next, &n); err != nil {
		return err
	}
	for _, t := range targets {
		if t.ID == id {
			return t.decode(next, n, reports)
		}
	}
	return fmt.Errorf("no entry %q", id)
}

// decode decodes the inputs one after the other. It reports the number of each and what
// was done to it, and then its outcome.
func (t Target) decode(next, n int, reports io.Writer) error {
	seeds, err := t.seeds()
	if err != nil {
		return err
	}
	guarded, err := memory.NewGuarded()
	if err != nil {
		return err
	}
	if err := memory.Limit(); err != nil {
		return err
	}
	debug.SetMemoryLimit(memory.Most / 2) // collect before the limit kills
	decoders := make([]Decoder, len(seeds))
	for i := next; i < n; i++ {
		m := mutationOf(seeds, i)
		if decoders[m.kind] == nil {
			decoders[m.kind] = t.Kinds[m.kind].Decoder()
		}
		src, err := guarded.Hold(m.src)
		if err != nil {
			return err
		}
		fmt.Fprintf(reports, "%d %s\n", i, m.about)
		o := tryGuarded(decoders[m.kind], guarded, src)
		if o.About != "" {
			o.About = fmt.Sprintf("input %d, %s: %s", i, m.about, o.About)
			decoders[m.kind] = nil // a panic may have left it broken
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
// one that panics later still ends the process.
const lateness = 50 * time.Millisecond

// tryGuarded decodes an input in guarded memory, and measures what memory that took.
func tryGuarded(decode Decoder, guarded *memory.Guarded, src []byte) (o Outcome) {
	goroutines, peak := runtime.NumGoroutine(), memory.StartPeak()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	o = Try(decode, src)
	for end := time.Now().Add(lateness); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if o.fault != 0 {
		o.What, o.About = reached, guarded.Where(o.fault, src)
	}
	if o.Taken = peak.Taken(excess); o.Taken > excess {
		o.What, o.About = excessive, fmt.Sprintf("took %s", Megabytes(o.Taken))
	}
	return o
}
