// Package terminal tells where this process prints to.
package terminal

import (
	"io"
	"os"
)

// Stderr returns standard error if a person may read it: if it is a terminal, or if results
// go there as well, as under go test. Otherwise it returns nil: a program that reads it
// apart tells progress in its own way, as benchrounds does.
func Stderr() io.Writer {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 && !Shared() {
		return nil
	}
	return os.Stderr
}

// Shared reports whether standard output and standard error are one.
func Shared() bool {
	out, errOut := os.Stdout.Stat()
	both, errBoth := os.Stderr.Stat()
	return errOut == nil && errBoth == nil && os.SameFile(out, both)
}
