package framework

import "fmt"

// Workload is something that a server's handler can do for each call.
type Workload struct {
	Name  string // workload=, as in "cache"
	About string // in a line, what is done for a call

	// Flag is the name of the one flag that a workload may have, "" for none.
	// Main registers it, with Default and Usage.
	Flag, Default, Usage string

	// Start makes the work ready, with the value of the flag. It tries what it
	// needs: an option that will not do is an error here, in a sentence without
	// secrets.
	Start func(option string) (Work, error)
}

// Work is a workload that was started.
type Work struct {
	// Do is the work of a call, done by many goroutines at once. A wrong result
	// is an error, and that is the error of the call.
	Do func() error
	// Close gives back what the work holds, perhaps while it is still being
	// done; nil: nothing to give back.
	Close func() error
	// Setup says what the work is done with, as in "sqlite 3.53.4 in memory".
	// It is printed with the results; "" for nothing to say.
	Setup string
}

// End gives back what the work holds, if anything.
func (w Work) End() error {
	if w.Close == nil {
		return nil
	}
	return w.Close()
}

// ActionWork is the Action of a call that asks the server for the workload it
// was started with.
func ActionWork(workload string) string { return "work/" + workload }

// serving is the work of this server process. It is a package variable because
// frameworks call handlers with no argument of ours.
var serving struct {
	action string // "" while there is none
	do     func() error
}

// ServeWork has HandleEcho do w for calls that ask for this workload. It is
// called before the process's one server starts.
func ServeWork(workload string, w Work) { serving.action, serving.do = ActionWork(workload), w.Do }

// work does what action asks for.
func work(action string) error {
	if action != serving.action {
		return fmt.Errorf("rpcbench: the action %q is not known, or is work that this server was not started with", action)
	}
	return serving.do()
}
