package main

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
)

// place is the argument of the command that the binaries replace.
const place = "{}"

// command is what is run when all is built.
type command []string

// check returns an error for arguments that are no command.
func (c command) check() error {
	if len(c) > 0 && !slices.Contains(c, place) {
		return errors.New(c[0] + " is no flag, and no command with " + place + " for the binaries: quote a pattern, so that the shell leaves it as it is")
	}
	return nil
}

// with is the command with the binaries in their place, each as OUT=BINARY. There must be one.
func (c command) with(binaries []string, out string) (args []string, err error) {
	if len(binaries) == 0 {
		return nil, errors.New("no binary could be built: there is nothing to run")
	}
	for _, arg := range c {
		if arg != place {
			args = append(args, arg)
			continue
		}
		for _, binary := range binaries {
			args = append(args, out+"="+binary)
		}
	}
	return args, nil
}

// binaries are what could be built in a directory, of what was asked for.
func (in *input) binaries(dir string) []string {
	return slices.DeleteFunc(in.wanted(dir), func(binary string) bool { return !exists(binary) })
}

// wanted are the binaries of all that was asked for.
func (in *input) wanted(dir string) (list []string) {
	if len(in.serializers) > 0 {
		list = append(list, binary(dir, "codecs"))
	}
	for _, framework := range in.frameworks {
		list = append(list, binary(dir, framework))
	}
	return list
}

// binary is what go test -c makes of a package.
func binary(dir, name string) string {
	name += ".test"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(dir, name)
}

// lines is the file for what the binaries print: in their directory, unless it was given.
func (in *input) lines(dir string) (string, error) {
	switch {
	case in.given.out != "":
		return in.given.path(in.given.out)
	case len(in.frameworks) == 0:
		return filepath.Join(dir, "codecs.txt"), nil
	}
	return filepath.Join(dir, "frameworks.txt"), nil
}
