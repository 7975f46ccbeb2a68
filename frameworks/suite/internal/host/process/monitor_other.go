//go:build !linux

package process

import "time"

// Monitor is not known on this system.
func Monitor() time.Duration { return 0 }
