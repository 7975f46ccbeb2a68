package main

import (
	"fmt"
	"regexp"
	"slices"
)

// The bounds. What is at its bound passes.
const (
	mostInCircle = 8  // files of a package that use each other
	mostFields   = 25 // of a struct that is no message
)

// mostFiles is the bound of a package's files. Two rooms are larger: what users of loadgen
// import is one package, and host has a file for each system.
func mostFiles(dir string) int {
	if dir == "loadgen" || dir == "frameworks/suite/internal/host" {
		return 28
	}
	return 20
}

var numbered = regexp.MustCompile(`^[Ff]ield[0-9]+$`)

// isMessage reports whether a struct mirrors the bench message of testdata: its fields have
// numbers for names. How many there are is not ours to choose.
func isMessage(s structure) bool {
	return !slices.ContainsFunc(s.fields, func(name string) bool { return !numbered.MatchString(name) })
}

// breaches says what of a package is over its bound, and what to do.
func breaches(p *pkg, u uses) (list []string) {
	if n, most := len(p.names), mostFiles(p.dir); n > most {
		list = append(list, fmt.Sprintf(tooManyFiles, p.dir, n, most))
	}
	for _, s := range p.structs {
		if n := len(s.fields); n > mostFields && !isMessage(s) {
			list = append(list, fmt.Sprintf(tooManyFields, p.dir, s.name, n, mostFields))
		}
	}
	for _, circle := range u.circles() {
		if n := len(circle); n > mostInCircle {
			list = append(list, fmt.Sprintf(tooLargeCircle, p.dir, n, mostInCircle, u.ties(circle, 6)))
		}
	}
	return list
}

// What is said of a breach, and what to do.
const (
	tooManyFiles   = "%s: the package has %d files, more than %d: move those that are about one thing into a package below it that imports nothing of it"
	tooManyFields  = "%s: %s has %d fields, more than %d: make those that are used together a struct of their own, and pass it to who needs it"
	tooLargeCircle = "%s: %d files use each other in a circle, more than %d: move what both of two files need into a file or a package below them, " +
		"or pass it to the lower one as a parameter. %s"
)
