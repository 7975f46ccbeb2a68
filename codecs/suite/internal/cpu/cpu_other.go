//go:build !unix

package cpu

import "time"

// Time returns 0: this system does not tell it.
func Time() time.Duration { return 0 }
