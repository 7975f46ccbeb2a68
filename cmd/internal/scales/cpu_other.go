//go:build !linux

package scales

import "time"

var begun = time.Now()

// cpuTime is the time of the clock: a thread's own is not told everywhere.
func cpuTime() time.Duration { return time.Since(begun) }
