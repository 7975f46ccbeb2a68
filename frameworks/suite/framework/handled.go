package framework

// handled counts the calls that the handlers of this process have completed. It is
// a package variable for the same reason as serving.
var handled tally

// CountHandled counts a completed call. HandleEcho calls it; a handler that answers without
// HandleEcho calls it itself. Until Handled is called it does nothing.
func CountHandled() { handled.add() }

// Handled returns how many calls the handlers of this process have completed since the
// first call of Handled, which starts the count.
func Handled() (calls int64) { return handled.read() }
