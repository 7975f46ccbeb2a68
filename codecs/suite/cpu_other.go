//go:build !unix

package suite

import "time"

// ownCPU is not known on this system.
func ownCPU() time.Duration { return 0 }
