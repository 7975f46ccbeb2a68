package workshop

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

var (
	refusal = regexp.MustCompile(`(?i)reading \S*://|module lookup disabled by GOPROXY|unknown revision|replacement directory|invalid version|cannot find module providing|missing go\.sum entry|dial tcp`)
	ours    = regexp.MustCompile(`github\.com/rpcbench/rpcbench/(loadgen|frameworks/suite|codecs/suite|cmd)\S*@v`)
)

// remedy says what to do if go has said that a module cannot be had; "" for other errors.
func remedy(said string) string {
	switch {
	case !refusal.MatchString(said):
		return ""
	case ours.MatchString(said):
		return "rpcbench's RELEASES.md says which version to take, and how to use a clone"
	}
	return "go cannot have a module: see go env GOPROXY GOFLAGS, and whether the version is right"
}

// runnable returns an error if programs in a directory are not run, as where its file system
// is mounted noexec: go builds there all the same.
func runnable(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	file := filepath.Join(dir, "runs")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o700); err != nil {
		return err
	}
	defer os.Remove(file)
	program := exec.Command(file)
	program.Env = environ.Tools(os.Environ())
	return barred(dir, program.Run())
}

// barred is the error of a program that may not run; nil for any other.
func barred(dir string, err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return fmt.Errorf("programs in %s are not run, as on a file system that is mounted noexec: set TMPDIR to a directory where they are", strings.TrimSuffix(filepath.Dir(dir), string(filepath.Separator)))
}
