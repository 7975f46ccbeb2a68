//go:build race

package trpc

// raced leaves out what ends under the race detector: tnet 1.0.1 keeps pointers in memory that is not
// aligned for them, and the pool of shared connections of tRPC-Go 1.0.3 has a data race where one
// is lost.
const raced = true
