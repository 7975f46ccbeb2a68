package framework

import "fmt"

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
	// Close frees the resources of the work, perhaps during calls of Do. It is
	// nil if there are no resources.
	Close func() error
	// Setup says what the work uses, as in "sqlite 3.53.4 in memory". It is
	// printed with the results; "" if there is nothing to say.
	Setup string
}

// End calls Close if it is set.
func (w Work) End() error {
	if w.Close == nil {
		return nil
	}
	return w.Close()
}

// ActionWork is the Action of a call that asks the server for the workload it
// was started with.
func ActionWork(workload string) string { return "work/" + workload }

// serving is the work of this server process. It is a package variable, because
// frameworks call handlers without an argument of ours.
var serving struct {
	action string // "" in a process without work
	do     func() error
}

// ServeWork has HandleEcho do w for calls that ask for this workload. It is called
// before the server of the process starts.
func ServeWork(workload string, w Work) { serving.action, serving.do = ActionWork(workload), w.Do }

// work does the work that action asks for.
func work(action string) error {
	if action != serving.action {
		return fmt.Errorf("%w: the action %.64q is not known, or is work that this server was not started with", ErrNotImplemented, action)
	}
	return serving.do()
}
