//go:build !linux

package loadgen

import "time"

func readContention(time.Duration) contention { return contention{} }
