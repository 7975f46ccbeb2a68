//go:build !unix

package loadbench

import "time"

func processCPU() time.Duration { return 0 }
