package generator

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
)

// refusal is an error of a schema that cannot be taken: it comes again with the same schema.
type refusal struct{ error }

// MissingError is a module that go could not have.
type MissingError struct{ module, dir string }

func (e MissingError) Error() string {
	return fmt.Sprintf("go cannot have %s: run go mod download in %s where there is a network, and see go env GOPROXY GOFLAGS", e.module, e.dir)
}

// lookup is what go says when it cannot have a module, and wanted the first module that it
// wanted to have.
var (
	lookup = regexp.MustCompile(`module lookup disabled by GOPROXY|dial tcp|(?:Get|reading) "?\w+://|missing go\.sum entry|cannot find module providing`)
	wanted = regexp.MustCompile(`go: downloading (\S+ v\S+)|(\S+@v[^\s:]+):`)
)

// without returns the error of a module that go could not have, if that is what it said.
func without(said, dir string) error {
	found := wanted.FindStringSubmatch(said)
	if !lookup.MatchString(said) || found == nil {
		return nil
	}
	return MissingError{strings.ReplaceAll(found[1], " ", "@") + found[2], dir}
}

// broken is what programs say that were killed or lacked something, and may do better next time.
var broken = regexp.MustCompile(`signal: |no space left on device|cannot allocate memory|missing go\.sum entry|updates to go\.`)

// ended is the error of a program that did not succeed, after it said something: of a module that
// go could not have, a refusal, or one that may not come again.
func ended(err error, said, dir string) error {
	if missing := without(said, dir); missing != nil {
		return missing
	}
	exit, is := errors.AsType[*exec.ExitError](err)
	if is && exit.Exited() && !broken.MatchString(said) {
		return refusal{err}
	}
	return err
}

// closing are lines that say no more than that something failed.
var closing = regexp.MustCompile(`^\s*$|^exit status|^Bootstrap failed`)

// short is an error of one line: the first that has the place of an error in Go code, or the
// last that says something.
func short(err error) error {
	lines := strings.Split(err.Error(), "\n")
	if said := slices.DeleteFunc(slices.Clone(lines), closing.MatchString); len(said) > 0 {
		lines = said
	}
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, ".go:") })
	if at < 0 {
		at = len(lines) - 1
	}
	return errors.New(foreign.Line(strings.TrimSpace(lines[at])))
}
