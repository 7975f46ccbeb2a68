//go:build !race

package race

// Enabled is false in a build without the race detector.
const Enabled = false
