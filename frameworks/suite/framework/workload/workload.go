// Package workload describes what a server's handler can do for each call beside sending it
// back, such as a look-up in a database. Those who measure such work hand workloads to
// suite.Main; adapters know nothing of them, since package handler does the work.
package workload

// Workload is something that a server's handler can do for each call.
type Workload struct {
	Name  string // workload=, as in "cache"
	About string // what is done for a call, in a line

	// Flag is the name of the workload's flag, which suite.Main registers with
	// Default and Usage; "" if the workload has no flag.
	Flag, Default, Usage string

	// Scales says that the work can take several times as long: the value of the flag is
	// then read by package spread, where 10x:VALUE is ten times VALUE for each call.
	Scales bool

	// Start prepares the work with the value of the flag. It tries what it needs,
	// so that a wrong value is found here. The error is a sentence without
	// secrets.
	Start func(option string) (Work, error)
}

// Work is a workload that was started.
type Work struct {
	// Do is the work of a call. Many goroutines call it at once. It returns an
	// error for a wrong result, and the call then fails with that error.
	Do func() error
	// Close frees the resources of the work, perhaps during calls of Do; nil if there are
	// none.
	Close func() error
	// Setup says what the work uses, as in "sqlite 3.53.4 in memory". It is
	// printed with the results; "" if there is nothing to say.
	Setup string
}
