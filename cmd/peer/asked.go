package main

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// asked is a variable of the environment, as make hands on those of its command line. Without
// it a server is left out that takes minutes to build.
type asked struct {
	variable string
	hint     string // how to give it
	// has is a file below the directory that the variable names: the sources of of. "" where
	// the variable is 1.
	has, of string
}

// value is what was given, "" for nothing: an absolute path where it names a directory.
func (a asked) value() (string, error) {
	value := os.Getenv(a.variable)
	switch {
	case a.variable == "" || value == "":
		return "", nil
	case a.has == "" && value != "1":
		return "", fmt.Errorf("%s=%s: it can be 1 alone", a.variable, foreign.Line(value))
	case a.has == "":
		return value, nil
	}
	if _, err := os.Stat(filepath.Join(value, a.has)); err != nil {
		return "", fmt.Errorf("%s=%s has no %s: it must be the directory of the sources of %s", a.variable, foreign.Line(value), a.has, a.of)
	}
	return filepath.Abs(value)
}

// without says that nobody asked for a server.
func (a asked) without(value string) error {
	if a.variable == "" || value != "" {
		return nil
	}
	return absent{errors.New("its build takes minutes: " + a.hint)}
}

// checkAsked returns what is wrong with the variables that the servers take.
func checkAsked(list []peer) error {
	for _, p := range list {
		if l, err := languageOf(p.directory); err == nil {
			if _, err := l.asked.value(); err != nil {
				return err
			}
		}
	}
	return nil
}

// cache is the directory of what takes minutes to build, in that of the user, so that clones
// share it. Each directory of sources has one.
func (a asked) cache(server, value string) (string, error) {
	if a.variable == "" {
		return "", nil
	}
	user, err := os.UserCacheDir()
	if a.has != "" {
		server += fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(value)))
	}
	return filepath.Join(user, "rpcbench", "peers", filepath.Base(server)), err
}
