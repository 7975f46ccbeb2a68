//go:build !linux

package sampling

import (
	"io"
	"runtime/pprof"
	"time"
)

func start(w io.Writer) error { return pprof.StartCPUProfile(w) }

// Tick is the CPU time that a sample stands for; 0 where that is not known.
func Tick() time.Duration { return 0 }
