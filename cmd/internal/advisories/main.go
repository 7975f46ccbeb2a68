// Advisories runs govulncheck in a module, and passes where all that it finds is known.
//
//	go run ./internal/advisories DIRECTORY govulncheck
//
// The variable GOVULNDB may name another database than Go's, as file:///DIRECTORY.
// What it finds is code that is called and has an advisory. An entry of the suite of
// codecs lists those that are known, in Advisories, and codecs/README.md shows them.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

func main() {
	dir, command := os.Args[1], os.Args[2:]
	fmt.Println(dir + ":")
	if err := check(dir, command); err != nil {
		fmt.Fprintf(os.Stderr, "advisories: %s: %v\n", dir, err)
		os.Exit(1)
	}
}

// foundSome is the exit code with which govulncheck says that it found something; others
// say that it could not look.
const foundSome = 3

func check(dir string, command []string) error {
	if db := os.Getenv("GOVULNDB"); db != "" {
		command = append(command, "-db="+db)
	}
	cmd := exec.Command(command[0], append(command[1:], "./...")...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr, cmd.Stdout = dir, os.Stderr, io.MultiWriter(os.Stdout, &said)
	cmd.Env = environ.Tools(cmd.Environ())
	err := cmd.Run()
	var failure *exec.ExitError
	if !errors.As(err, &failure) || failure.ExitCode() != foundSome {
		return err
	}
	known, err := listed(dir)
	if err != nil {
		return err
	}
	return judge(said.String(), known)
}

var number = regexp.MustCompile(`(?m)^Vulnerability #\d+: (\S+)$`)

// judge wants all that was found to be known.
func judge(said string, known []string) error {
	found := number.FindAllStringSubmatch(said, -1)
	if len(found) == 0 {
		return errors.New("govulncheck found something, but names nothing")
	}
	for _, f := range found {
		if !slices.Contains(known, f[1]) {
			return fmt.Errorf("%s is not known: no entry has it in its Advisories", f[1])
		}
	}
	return nil
}

var ids = regexp.MustCompile(`\bAdvisories\{\s*IDs:\s*"([^"]*)"`)

// listed are the advisories in the entries of a module.
func listed(dir string) (known []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range ids.FindAllSubmatch(text, -1) {
			known = append(known, strings.Split(string(m[1]), ", ")...)
		}
		return err
	})
	return known, err
}
