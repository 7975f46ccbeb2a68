//go:build !unix

// Package files tells how many files this process has open, and how many it may open.
package files

// RaiseLimit returns 0: the limit is not known on this system.
func RaiseLimit(int) int { return 0 }

// Limit returns 0: the limit is not known on this system.
func Limit() int { return 0 }
