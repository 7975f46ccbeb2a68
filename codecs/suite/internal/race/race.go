//go:build race

// Package race tells whether the race detector is on.
package race

// Enabled reports whether it is. It allocates memory of its own, drops what pools hold,
// and needs more address space than a limited process has.
const Enabled = true
