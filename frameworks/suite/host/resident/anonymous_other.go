//go:build !linux

package resident

// Anonymous returns 0: it is not known on this system.
func Anonymous() int64 { return 0 }

// Machine returns 0: it is not known on this system.
func Machine() (total, available int64) { return 0, 0 }
