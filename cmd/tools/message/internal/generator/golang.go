package generator

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
)

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

// Go runs go in a directory. The error has what it said, or the module that it could not
// have.
func Go(dir string, args ...string) error {
	var said bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	cmd.Env = append(os.Environ(), "GOWORK=off")
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if err := without(said.String(), dir); err != nil {
		return err
	}
	text := ""
	for line := range bytes.Lines(said.Bytes()) {
		text += "\n\t" + foreign.Line(string(bytes.TrimRight(line, "\n")))
	}
	return errors.New(fmt.Sprintf("go %s in %s: %v", args[0], dir, err) + text)
}
