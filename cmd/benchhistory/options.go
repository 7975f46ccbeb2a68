package main

// options are what the command line says.
type options struct {
	dir, name   string
	module      string
	versions    string
	newest      int
	commits     string
	packages    string
	also        string
	reference   string
	rounds      int
	countRounds int // in which calls are counted
	sizeRounds  int // in which servers are started
	fresh       bool
	anatomy     bool     // functions behind steps are named
	args        []string // of the test binaries
}

// failure is what went wrong while something was measured.
type failure struct{ error }
