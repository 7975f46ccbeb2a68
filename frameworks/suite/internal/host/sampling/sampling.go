// Package sampling takes CPU profiles of its own process that lose no samples.
//
// Linux looks at the timers of a thread at its ticks, and only while that thread runs. With the
// rate of runtime/pprof, 100 a second of CPU time, a thread that runs now and then has often two
// samples due at once, and one is lost: 1 to 5 % of all samples of a side that waits, and up to 14 %
// at 240 a second. At a rate above that of ticks each tick of a running thread is one sample.
// Where a tick is 4 ms these are two and a half times as many as usual. The runtime's monitor is a
// thread without a timer, and in no profile: see process.Monitor.
package sampling

import (
	"errors"
	"io"
	"runtime"
	"runtime/pprof"
)

// Start begins a profile with a sample at each tick of a running thread. The profile tells a
// shorter period than Tick, which is the true one. Only Linux has a timer for each thread.
func Start(w io.Writer) error {
	if err := Check(); err != nil {
		return err
	}
	return start(w)
}

// Check returns an error where Start cannot be had.
func Check() error {
	if runtime.GOOS == "linux" {
		return nil
	}
	return errors.New("only Linux counts the CPU time of each thread; elsewhere a profile tells no parts of a call")
}

// Stop ends the profile and writes it.
func Stop() { pprof.StopCPUProfile() }
