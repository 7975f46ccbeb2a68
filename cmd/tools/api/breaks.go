package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"

	"github.com/rpcbench/rpcbench/cmd/tools/api/internal/surface"
)

// compare prints for the module of each directory what changed since a commit, and whether it breaks its users. A
// module that the commit does not have is new. A clone that has no more than the commit will do.
func compare(w io.Writer, root, base string, dirs []string) error {
	before, err := os.MkdirTemp("", "api-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(before)
	if err := extract(root, base, before); err != nil {
		return err
	}
	modules, err := load(root, dirs)
	for _, m := range modules {
		old, e := surface.Load(before, m.Dir)
		if errors.Is(e, os.ErrNotExist) {
			fmt.Fprintf(w, "%s: it is new\n", m.Dir)
			continue
		}
		if err = errors.Join(err, e); e == nil {
			err = errors.Join(err, apidiffOf(old, m).tell(w, m.Dir))
		}
	}
	return err
}

// extract writes the files of a commit into a directory.
func extract(root, commit, dir string) error {
	archive := exec.Command("git", "-C", root, "archive", "--format=tar", commit)
	files, err := archive.StdoutPipe()
	if err != nil {
		return err
	}
	var said strings.Builder
	untar := exec.Command("tar", "-x", "-C", dir)
	archive.Stderr, untar.Stdin = &said, files
	if err := archive.Start(); err != nil {
		return err
	}
	err = untar.Run()
	if failed := archive.Wait(); failed != nil {
		return fmt.Errorf("%s: %s: git fetch --depth=1 origin %[1]s may have it", commit, strings.TrimSpace(said.String()))
	}
	return err
}

// changes lists what differs in a module, as sentences.
type changes struct{ breaking, other []string }

// apidiffOf compares two versions of a module.
func apidiffOf(old, now surface.Module) (c changes) {
	report := apidiff.ModuleChanges(ofModule(old), ofModule(now))
	for _, change := range report.Changes {
		if change.Compatible {
			c.other = append(c.other, change.Message)
		} else {
			c.breaking = append(c.breaking, change.Message)
		}
	}
	if old.Go != now.Go {
		c.breaking = append(c.breaking, fmt.Sprintf("go.mod: go %s, was %s", now.Go, old.Go))
	}
	slices.Sort(c.breaking)
	slices.Sort(c.other)
	return c
}

func ofModule(m surface.Module) *apidiff.Module {
	return &apidiff.Module{Path: m.Path, Packages: m.Public}
}

// tell prints the changes of a module in a directory.
func (c changes) tell(w io.Writer, dir string) error {
	var text strings.Builder
	for _, kind := range []struct {
		about string
		list  []string
	}{{"breaks", c.breaking}, {"adds", c.other}} {
		for _, change := range kind.list {
			fmt.Fprintf(&text, "%s %s: %s\n", filepath.ToSlash(dir), kind.about, change)
		}
	}
	if text.Len() == 0 {
		fmt.Fprintf(&text, "%s: no change\n", dir)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
