package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// extras are the arguments of -only, in their order.
type extras []extra

// extra is an argument for the binaries of one file.
type extra struct{ file, arg string }

// String is for package flag: there is no default.
func (*extras) String() string { return "" }

// Set adds FILE=ARGUMENT. FILE ends at the first =, since most arguments have one of their own.
func (l *extras) Set(s string) error {
	file, arg, _ := strings.Cut(s, "=")
	if file == "" || arg == "" {
		return errors.New("must be FILE=ARGUMENT")
	}
	*l = append(*l, extra{filepath.Clean(file), arg})
	return nil
}

// addTo gives the targets the arguments for their files. It returns an error for the first file
// that no target has.
func (l extras) addTo(targets []target) error {
	for _, e := range l {
		i := slices.IndexFunc(targets, func(t target) bool { return t.file == e.file })
		if i < 0 {
			return fmt.Errorf("-only=%s=%s: no FILE=BINARY names the file %[1]s; the files are %[3]s", e.file, e.arg, files(targets))
		}
		targets[i].only = append(targets[i].only, e.arg)
	}
	return nil
}

func files(targets []target) string {
	var names []string
	for _, t := range targets {
		names = append(names, t.file)
	}
	return strings.Join(names, ", ")
}
