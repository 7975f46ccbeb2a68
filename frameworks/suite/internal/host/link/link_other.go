//go:build !linux

package link

import (
	"errors"
	"time"
)

var errLinux = errors.New("only Linux has them")

func open(Config) (*Link, error) { return nil, errLinux }

// Enter returns an error. There are no network namespaces on this system.
func Enter() error { return errLinux }

// Inside calls start. There are no links on this system.
func (l *Link) Inside(start func() error) error { return start() }

// Serving reports false.
func Serving() bool { return false }

// Serve does nothing.
func Serve() (exitCode int) { return 0 }

// Try returns an error.
func (l *Link) Try(time.Duration) (Trial, error) { return Trial{}, errLinux }

// TCP returns "".
func TCP() string { return "" }

// Steady reports false.
func Steady() bool { return false }
