package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

// with is the command with the binaries in their place, each as OUT=BINARY; nil if there are
// none.
func (c command) with(binaries []string, out string) (args []string) {
	if len(binaries) == 0 {
		return nil
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
	return args
}

// binaries are what make could build in a directory, of what was asked for.
func (in *input) binaries(dir string) (list []string, err error) {
	names := in.frameworks
	if len(in.serializers) > 0 {
		names = append([]string{"codecs"}, names...)
	}
	for _, name := range names {
		binary := filepath.Join(dir, name+".test")
		_, err := os.Stat(binary)
		switch {
		case err == nil:
			list = append(list, binary)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return list, nil
}

// lines is the file in a directory for what its binaries print.
func (in *input) lines(dir string) string {
	if len(in.frameworks) == 0 {
		return filepath.Join(dir, "codecs.txt")
	}
	return filepath.Join(dir, "frameworks.txt")
}
