//go:build !linux

package suite

import "time"

// burn takes that much time: elsewhere a thread does not know its CPU time.
func burn(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}
