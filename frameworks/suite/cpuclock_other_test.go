//go:build !linux

package suite

import "time"

// threadCPU is the time: only tests on Linux read what it is compared with.
func threadCPU() time.Duration { return time.Duration(time.Now().UnixNano()) }
