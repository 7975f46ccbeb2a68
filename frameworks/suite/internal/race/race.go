//go:build race

// Package race tells whether this binary has the race detector.
package race

// Enabled is true in a binary that was built with -race.
const Enabled = true
