// Package tool has the load generators that people use: how each is installed, driven and read.
package tool

import "time"

// Protocol is what a server speaks and a mode calls.
type Protocol string

// The protocols.
const (
	HTTP Protocol = "http" // HTTP/1.1, in clear text
	GRPC Protocol = "grpc" // grpc.health.v1.Health/Check, in clear text
)

// Target is what a mode is to call.
type Target struct {
	Protocol Protocol
	Address  string        // host and port, on loopback
	Post     bool          // HTTP alone: POST with a short body instead of GET
	Rate     int           // calls a second that are asked for; modes without a rate ignore it
	Duration time.Duration // for how long
	Calls    int           // Rate times Duration, for tools that count calls
	Dir      string        // an empty directory for scripts and output of this run
	Seed     int64         // for tools with random arrivals
}

// Mode is one way to use a tool, by its documented options.
type Mode struct {
	Tool     string // as in "vegeta"
	Name     string // "default", or what differs, as in "8 workers"
	Protocol Protocol
	Closed   bool   // it has no rate: each caller calls again when its last call has returned
	Random   bool   // calls are due at random times, by Target.Seed
	Options  string // the options that matter, for the table's legend
	// Command returns the program and its arguments for a run, and writes into
	// Target.Dir what the program needs.
	Command func(Target) ([]string, error)
	// Read returns what the tool said of a run, from its standard output and the files in
	// Target.Dir.
	Read func(t Target, stdout []byte) (Said, error)
}

// Said is what a tool reports. A time of 0 and a count of -1 say that it reports none.
type Said struct {
	P50, P95, P99, Max time.Duration
	OK                 int64 // calls that it counts as answered rightly
	Failed             int64 // calls that it counts as failed
	Dropped            int64 // calls that it says it did not make, though asked
}
