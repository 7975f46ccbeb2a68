//go:build !race

package race

// Enabled is true in a binary that was built with -race.
const Enabled = false
