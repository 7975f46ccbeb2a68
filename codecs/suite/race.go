//go:build race

package suite

// racing says that the race detector is on, which needs more address space than
// victims have.
const racing = true
