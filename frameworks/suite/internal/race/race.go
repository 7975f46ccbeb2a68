//go:build race

// Package race tells whether this binary has the race detector.
package race

// Enabled is true in a binary that was built with -race. The detector allocates memory of its
// own, drops what pools hold, and needs more address space than a limited process has.
const Enabled = true
