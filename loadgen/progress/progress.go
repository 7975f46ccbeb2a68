// Package progress tells how a run of package loadgen goes on while it is under way: on a
// terminal in one line, which is written anew each interval, elsewhere in a line for each interval. It
// is for commands whose users wait for a load to end.
package progress

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/term"

	"github.com/rpcbench/rpcbench/loadgen"
)

const (
	defaultColumns = 80 // where there is no terminal to ask
	erase          = "\r\x1b[K"
	interruptRoom  = 3 // columns that stay free, since a terminal shows ^C behind the line
)

// Print returns a Config.OnProgress that writes to w how the run of cfg goes on:
//
//	12s of 30s  5000 calls/s  p50 1.2ms  p99 8.1ms  max 40ms  0 failed
//
// It reads Duration, Calls, Schedule and Interval of cfg. The rate, of calls that returned no
// error, and the percentiles, of responses, are of the last Interval, and the failed calls are
// all so far. Where an Interval has too few calls for p99, see [loadgen.Histogram.EnoughFor],
// p90 stands in its place, or neither. Of a line that is wider than the terminal, or than 80
// columns elsewhere, the fields that matter least are left out. A last interval of less than a
// tenth of the others has no line.
//
// If w is a terminal, the line is written anew each Interval and ends with a line break when
// the run is over. One with TERM=dumb, and those of Windows, get a line an Interval, as a file
// does. What is returned always returns nil: a run does not end because w cannot be written to.
// It is for one run at a time. Call it in an OnProgress that does more.
func Print(w io.Writer, cfg loadgen.Config) func(loadgen.Progress) error {
	return to(w, columnsOf(w), cfg)
}

// columnsOf returns the width of the terminal w, which may be another each time; nil if w is
// no terminal, or one that cannot erase a line.
func columnsOf(w io.Writer) func() int {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("TERM") == "dumb" || runtime.GOOS == "windows" {
		return nil
	}
	return func() int {
		columns, _, err := term.GetSize(int(file.Fd()))
		if err != nil || columns <= 0 {
			return defaultColumns
		}
		return columns
	}
}

// to is Print for a terminal of a width, or for a file if columns is nil.
func to(w io.Writer, columns func() int, cfg loadgen.Config) func(loadgen.Progress) error {
	told := line{Config: cfg}
	return func(p loadgen.Progress) error {
		text := ""
		if fields := told.fields(p); !told.isRest(p) {
			text = fit(fields, defaultColumns) + "\n"
			if columns != nil {
				text = erase + fit(fields, columns()-interruptRoom)
			}
		}
		if columns != nil && p.Over {
			text += "\n"
		}
		_, _ = io.WriteString(w, text) // nobody is told that progress is lost
		return nil
	}
}
