//go:build race

package trpc

// tnetWorks: tnet 1.0.1 keeps pointers of events in memory that is not aligned for them, which the
// race detector's checks of pointers end the process for.
const tnetWorks = false
