package tide

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Bounds of a trace.
const (
	maxArrivals = 10_000_000
	maxTrace    = 24 * time.Hour
	minTrace    = 100 * time.Millisecond
)

// Open reads a trace from a file, see ReadTrace.
func Open(path string) (*Tide, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadTrace(filepath.Base(path), f)
}

// ReadTrace reads when calls are due, one a line, in seconds or as a time such as 1.5s since the
// start of the run. Empty lines and those that begin with # are left out. A trace lasts 100 ms
// to 24 h and has at most 10 million calls. Its phases are five times of equal length.
func ReadTrace(name string, r io.Reader) (*Tide, error) {
	var times []time.Duration
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		due, err := arrival(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		case len(times) > 0 && due < times[len(times)-1]:
			return nil, fmt.Errorf("%s:%d: %s goes back in time: the call before is due after %v", name, n, text, times[len(times)-1])
		case len(times) == maxArrivals:
			return nil, fmt.Errorf("%s:%d: a trace may have %d calls", name, n, maxArrivals)
		}
		times = append(times, due)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return traced(name, times)
}

// arrival reads when a call is due.
func arrival(text string) (time.Duration, error) {
	seconds, err := strconv.ParseFloat(text, 64)
	due := time.Duration(0)
	switch {
	case err != nil:
		if due, err = time.ParseDuration(text); err != nil {
			return 0, fmt.Errorf("%q is neither seconds nor a time such as 1.5s", text)
		}
	case !(seconds >= 0 && seconds <= maxTrace.Seconds()):
		due = -1
	default:
		due = time.Duration(seconds*1e9 + .5)
	}
	if due < 0 || due > maxTrace {
		return 0, fmt.Errorf("%q must be from 0 to %v since the start", text, maxTrace)
	}
	return due, nil
}

func traced(name string, times []time.Duration) (*Tide, error) {
	if len(times) == 0 {
		return nil, fmt.Errorf("%s has no arrival", name)
	}
	all := times[len(times)-1]
	if all < minTrace {
		return nil, fmt.Errorf("%s: its calls are due within %v, and a trace lasts %v or more", name, all, minTrace)
	}
	var pieces []piece
	for i := range parts {
		pieces = append(pieces, piece{Slope: loadgen.Slope{For: all / parts}, phase: i})
	}
	pieces[parts-1].For += all % parts
	t := of(value.OfFile(name), false, numbered(parts), pieces...)
	t.times = times
	return t, nil
}

// IsNoFile reports whether Open failed because there is no such file.
func IsNoFile(err error) bool { return errors.Is(err, os.ErrNotExist) }
