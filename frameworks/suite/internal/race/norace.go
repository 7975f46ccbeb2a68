//go:build !race

package race

// Enabled is false in a binary that was built without -race.
const Enabled = false
